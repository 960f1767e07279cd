/** Tells waiters that something in the sandbox changed. */
export type Changes = {
  notify(): void;
  /** Calls `listener` after every change until the returned function is called. */
  subscribe(listener: () => void): () => void;
};

export type WaitOptions = { timeoutMs?: number };

/** Creates the change notice of one sandbox. */
export function createChanges(): Changes {
  const listeners = new Set<() => void>();
  return {
    notify() {
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type WaitInput<T> = {
  changes: Changes;
  /** Looked at now and after every change; a falsy result or a throw means "not yet". */
  predicate: () => T;
  timeoutMs: number;
  /** Describes the present state, for the message of the rejection. */
  describe: () => string;
};

/** Resolves with the first truthy result of the predicate; rejects with the state as text when time is up. */
export function waitForChange<T>(input: WaitInput<T>): Promise<NonNullable<T>> {
  return new Promise((resolve, reject) => {
    let lastProblem = '';
    const evaluate = () => {
      try {
        const result = input.predicate();
        if (!result) return;
        finish();
        resolve(result);
      } catch (error) {
        lastProblem = `\nThe predicate last threw: ${error instanceof Error ? error.message : String(error)}`;
      }
    };
    const unsubscribe = input.changes.subscribe(evaluate);
    const timer = setTimeout(() => {
      finish();
      reject(new Error(`Not reached within ${input.timeoutMs} ms.${lastProblem}\n${input.describe()}`));
    }, input.timeoutMs);
    const finish = () => {
      clearTimeout(timer);
      unsubscribe();
    };
    evaluate();
  });
}
