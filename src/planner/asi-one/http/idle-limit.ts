import type { SetTimer } from '../../../async/timer.ts';

/**
 * Ends a request on which nothing has arrived for too long. Only time spent waiting for the planner counts: a reader
 * that is slow to ask for more is no silence.
 */
export interface IdleLimit {
  /** Waits for something from the planner; calls `onIdle` when that takes too long. */
  within<T>(arrival: Promise<T>): Promise<T>;
  readonly passed: boolean;
}

export function createIdleLimit(options: { timeoutMs: number; onIdle: () => void; setTimer: SetTimer }): IdleLimit {
  let passed = false;
  return {
    async within(arrival) {
      const cancel = options.setTimer(() => {
        passed = true;
        options.onIdle();
      }, options.timeoutMs);
      try {
        return await arrival;
      } finally {
        cancel();
      }
    },
    get passed() {
      return passed;
    },
  };
}
