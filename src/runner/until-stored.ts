import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../domain/ports/logger.ts';
import { StewardError } from '../errors.ts';

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;

type UntilStored = {
  logger: Logger;
  /** Asked after each failure: a process that stops does not wait for a database. */
  givesUp: () => boolean;
  waitFor?: (ms: number) => Promise<unknown>;
};

/**
 * Repeats a write while the store is away: what a leg brought is only in memory until then, and may be an answer that
 * took an hour. The write must be harmless to repeat, as its first outcome may be unknown.
 *
 * @throws the store's error when it will not pass, or when `givesUp`
 */
export async function untilStored<Result>(write: () => Promise<Result>, options: UntilStored): Promise<Result> {
  const { logger, givesUp, waitFor = wait } = options;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      const passes = error instanceof StewardError && error.code === 'store_unavailable' && error.retryable;
      if (!passes || givesUp()) throw error;
      logger.warn({ err: error, waitMs }, 'store_away');
      await waitFor(waitMs);
    }
  }
}
