/** Does pieces of work, so many at once, the others in the order they came. The work deals with its own failures. */
export type WorkPool = {
  add(work: () => Promise<void>): void;
  /** Pieces under way. */
  readonly size: number;
  /** Resolves when what is under way now is over. */
  settled(): Promise<void>;
};

export function createWorkPool(parallel: number): WorkPool {
  const waiting: Array<() => Promise<void>> = [];
  const active = new Set<Promise<void>>();

  function pump(): void {
    while (active.size < parallel) {
      const start = waiting.shift();
      if (!start) return;
      const work: Promise<void> = start().finally(() => {
        active.delete(work);
        pump();
      });
      active.add(work);
    }
  }

  return {
    add(work) {
      waiting.push(work);
      pump();
    },
    get size() {
      return active.size;
    },
    async settled() {
      await Promise.allSettled(active);
    },
  };
}
