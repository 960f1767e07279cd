/**
 * Named gates of `hold` steps. Each release lets one stream pass: one that waits, the longest first, or else the next
 * that comes.
 */
export type Gates = {
  pass(name: string, signal: AbortSignal): Promise<void>;
  release(name: string, times?: number): void;
  /** Takes back releases that nobody used. */
  reset(): void;
};

type Waiter = { name: string; open(): void };

export function createGates(): Gates {
  const waiting = new Set<Waiter>();
  const credits = new Map<string, number>();

  function pass(name: string, signal: AbortSignal): Promise<void> {
    const credit = credits.get(name) ?? 0;
    if (credit > 0) {
      credits.set(name, credit - 1);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(waiter);
        reject(signal.reason);
      };
      const open = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiter: Waiter = { name, open };
      waiting.add(waiter);
      signal.addEventListener('abort', giveUp);
    });
  }

  function releaseOne(name: string): void {
    for (const waiter of waiting) {
      if (waiter.name !== name) continue;
      waiting.delete(waiter);
      waiter.open();
      return;
    }
    credits.set(name, (credits.get(name) ?? 0) + 1);
  }

  return {
    pass,
    release(name, times = 1) {
      for (let count = 0; count < times; count += 1) releaseOne(name);
    },
    reset: () => credits.clear(),
  };
}
