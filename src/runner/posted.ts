import type { OutboxStore } from '../domain/ports/store.ts';

const FIRST_LOOK_MS = 250;
/** Many legs may wait while posts are slow; they must not spend the database's time on looking. */
const LONGEST_REST_MS = 2000;

/** Waits for messages to be posted, by this process or another. */
export type Posted = {
  /** The ts of a message as soon as it is posted. Rejects when the signal aborts. */
  wait(operationId: string, signal: AbortSignal): Promise<string>;
  /** This process has just posted it: whoever waits looks at once. */
  tell(operationId: string): void;
};

export function createPosted(outbox: Pick<OutboxStore, 'get'>): Posted {
  const sleepers = new Map<string, Set<() => void>>();

  /** Until told, until the time is up, or until the signal aborts. */
  function sleep(operationId: string, { ms, signal }: { ms: number; signal: AbortSignal }): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(wake, ms);
      function wake(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        const others = sleepers.get(operationId);
        others?.delete(wake);
        if (others?.size === 0) sleepers.delete(operationId);
        resolve();
      }
      signal.addEventListener('abort', wake);
      sleepers.set(operationId, (sleepers.get(operationId) ?? new Set()).add(wake));
    });
  }

  return {
    async wait(operationId, signal) {
      for (let ms = FIRST_LOOK_MS; ; ms = Math.min(ms * 2, LONGEST_REST_MS)) {
        signal.throwIfAborted();
        const message = await outbox.get(operationId);
        if (message?.ts) return message.ts;
        await sleep(operationId, { ms, signal });
      }
    },
    tell(operationId) {
      for (const wake of [...(sleepers.get(operationId) ?? [])]) wake();
    },
  };
}
