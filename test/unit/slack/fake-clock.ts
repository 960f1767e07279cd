import type { SetTimer } from '../../../src/async/timer.ts';

export type FakeClock = {
  now: () => number;
  setTimer: SetTimer;
  /** Moves time on, firing timers in their order and letting promises settle after each. */
  advance(ms: number): Promise<void>;
  timers(): number;
};

/** Time that moves only when told to. */
export function createFakeClock(startMs = 1_000_000): FakeClock {
  let time = startMs;
  const timers = new Set<{ at: number; callback: () => void }>();

  const nextDue = (until: number) =>
    [...timers].filter((timer) => timer.at <= until).sort((left, right) => left.at - right.at)[0];

  return {
    now: () => time,
    setTimer(callback, delayMs) {
      const timer = { at: time + Math.max(0, delayMs), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const until = time + ms;
      await settle();
      for (let due = nextDue(until); due; due = nextDue(until)) {
        timers.delete(due);
        time = Math.max(time, due.at);
        due.callback();
        await settle();
      }
      time = until;
    },
    timers: () => timers.size,
  };
}

/** Lets everything that waits on settled promises run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
