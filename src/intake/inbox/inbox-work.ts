import type { ReceiverEvent } from '@slack/bolt';
import { createLanes } from '../../async/lanes.ts';
import { createLimit } from '../../async/limit.ts';
import type { Logger } from '../../domain/ports/logger.ts';
import type { InboxEntry, InboxStore } from '../../domain/ports/store.ts';
import { isFields } from '../read/fields.ts';
import { readLane } from '../read/read-message.ts';
import type { ProcessEvent } from './delivery.ts';

type InboxWorkOptions = {
  inbox: InboxStore;
  process: ProcessEvent;
  /** Waits for the turn of work that nobody in Slack waits for. */
  giveWay: () => Promise<void>;
  logger: Logger;
  /** Rows younger than this are still being worked on by whoever took them. */
  replayAfterMs: number;
};

/** A row that failed this often, over some four hours, is left for an operator to look at. */
const REPLAY_MAX_ATTEMPTS = 30;
const REPLAY_BATCH = 100;
/** As many as are admitted in one transaction: what is begun must be finished, however many acks come to be due. */
const PARALLEL = 100;

/** What listeners of stored rows get for an ack: the delivery was acknowledged when it was stored. */
export const answerNothing = async (): Promise<void> => {};

interface InboxWork {
  /**
   * Runs the listeners for a stored row, after those of earlier rows of its thread, and marks it processed; a failure
   * is logged and leaves the row.
   */
  run(key: string, event: ReceiverEvent): Promise<void>;
  /** Runs rows that a crash or a failure left behind, of any age with `olderThanMs` 0; how many. */
  replay(olderThanMs?: number): Promise<number>;
}

/** The work that stored deliveries ask for. Two runs of one row do no harm, and this process never starts them. */
export function createInboxWork({ inbox, process, giveWay, logger, replayAfterMs }: InboxWorkOptions): InboxWork {
  const lanes = createLanes();
  const limit = createLimit(PARALLEL);
  const busyKeys = new Set<string>();

  async function run(key: string, event: ReceiverEvent): Promise<void> {
    busyKeys.add(key);
    try {
      await lanes.run(readLane(event.body), () =>
        limit(async () => {
          await giveWay();
          await process(event);
        }),
      );
      await markProcessed(key);
    } catch (error) {
      logger.error({ key, err: error }, 'delivery_failed');
    } finally {
      busyKeys.delete(key);
    }
  }

  /** A row that could not be marked is worked on again, which does no harm. */
  async function markProcessed(key: string): Promise<void> {
    try {
      await inbox.markProcessed(key);
    } catch (error) {
      logger.warn({ key, err: error }, 'inbox_mark_failed');
    }
  }

  async function runAgain({ key, body }: InboxEntry): Promise<void> {
    if (isFields(body)) await run(key, { body, ack: answerNothing });
    else logger.error({ key }, 'inbox_row_unreadable');
  }

  return {
    run,
    async replay(olderThanMs = replayAfterMs) {
      const where = { olderThanMs, maxAttempts: REPLAY_MAX_ATTEMPTS, limit: REPLAY_BATCH };
      const left = (await inbox.takeUnprocessed(where)).filter((entry) => !busyKeys.has(entry.key));
      await Promise.all(left.map(runAgain));
      return left.length;
    },
  };
}
