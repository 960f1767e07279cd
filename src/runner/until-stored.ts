import { sleep } from '../async/sleep.ts';
import type { Logger } from '../domain/ports/logger.ts';
import { StewardError } from '../errors.ts';
import type { LiveLegs } from './live-legs.ts';

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;

type UntilStored = {
  logger: Logger;
  /** A process that stops does not wait for a database. */
  liveLegs: Pick<LiveLegs, 'isClosed'>;
  waitFor?: (ms: number) => Promise<unknown>;
};

/**
 * Repeats a write while the store is away: what a leg brought is only in memory until then, and may be an answer that
 * took an hour. The write must be harmless to repeat, as its first outcome may be unknown.
 *
 * @throws the store's error when it will not pass, or when the process stops
 */
export async function untilStored<Result>(options: UntilStored, write: () => Promise<Result>): Promise<Result> {
  const { logger, liveLegs, waitFor = sleep } = options;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      const passes = error instanceof StewardError && error.code === 'store_unavailable' && error.retryable;
      if (!passes || liveLegs.isClosed) throw error;
      logger.warn({ err: error, waitMs }, 'store_away');
      await waitFor(waitMs);
    }
  }
}
