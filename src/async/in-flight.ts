import { within } from './within.ts';

/** Work that has begun and not ended. */
interface InFlight {
  /** Counts a promise until it settles. Whoever added it deals with its failure; here it is only waited for. */
  add(work: Promise<unknown>): void;
  /** Resolves when nothing is left, or after `withinMs`, with how much is. */
  settled(withinMs: number): Promise<number>;
}

export function createInFlight(): InFlight {
  const current = new Set<Promise<unknown>>();

  async function allSettled(): Promise<void> {
    while (current.size > 0) await Promise.allSettled(current);
  }

  return {
    add(work) {
      const counted: Promise<unknown> = work
        .catch(() => undefined)
        .finally(() => {
          current.delete(counted);
        });
      current.add(counted);
    },
    async settled(withinMs) {
      await within(allSettled(), { ms: withinMs, late: () => undefined });
      return current.size;
    },
  };
}
