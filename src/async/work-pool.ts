import { createLimit } from './limit.ts';

/** Does pieces of work, so many at once, the others in the order they came. The work deals with its own failures. */
export type WorkPool = {
  add(work: () => Promise<void>): void;
  /** Pieces that wait or are under way. */
  readonly size: number;
  /** Resolves when what is there now is over. */
  settled(): Promise<void>;
};

export function createWorkPool(parallel: number): WorkPool {
  const limit = createLimit(parallel);
  const current = new Set<Promise<void>>();

  return {
    add(work) {
      const counted: Promise<void> = limit(work).finally(() => {
        current.delete(counted);
      });
      current.add(counted);
    },
    get size() {
      return current.size;
    },
    async settled() {
      await Promise.allSettled(current);
    },
  };
}
