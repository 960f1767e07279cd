import type { AckPressure } from '../../async/ack-pressure.ts';
import { createInFlight } from '../../async/in-flight.ts';
import { within } from '../../async/within.ts';
import type { Logger } from '../../domain/ports/logger.ts';
import type { InboxEntry, InboxStore } from '../../domain/ports/store.ts';
import type { Telemetry } from '../../domain/ports/telemetry.ts';
import { StewardError } from '../../errors.ts';
import { fieldsAt } from '../read/fields.ts';
import { classify } from './classify.ts';
import type { Delivery, ProcessEvent, TakeDelivery } from './delivery.ts';
import { answerNothing, createInboxWork } from './inbox-work.ts';

interface Deliveries {
  take: TakeDelivery;
  /** Works again on rows that a crash or a failure left behind, of any age with `olderThanMs` 0; how many were tried. */
  replay(olderThanMs?: number): Promise<number>;
  /** Takes nothing more, and waits for what is under way. */
  close(): Promise<void>;
}

export type DeliveriesOptions = {
  inbox: InboxStore;
  process: ProcessEvent;
  botUserId: () => string | null;
  /** Shared with other work that shall make way for acks. */
  pressure: AckPressure;
  logger: Logger;
  telemetry: Telemetry;
  /** A slower store counts as failed. The default, 2,500 ms, leaves room for the way back within Slack's 3 s. */
  storeWithinMs?: number;
  /** See `createInboxWork`. Default 10,000 ms. */
  replayAfterMs?: number;
  /** Longest wait of `close`. Default 10,000 ms. */
  drainWithinMs?: number;
  monotonicMs?: () => number;
};

/**
 * What stands between the transports and Bolt: a message or command is stored, then acknowledged, then worked on
 * (contract C4). Owns the work under way.
 *
 * Bolt acknowledges an event before its listeners run, so the ack cannot be left to it: it gets one that does nothing,
 * the same as for a replayed row. Buttons and modals need no row, because their listener stores the decision before it
 * acknowledges; they go to Bolt with the real ack.
 *
 * A delivery whose row exists already was taken before, by this process or another: it is acknowledged and left to
 * whoever took it, or to `replay`.
 */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { inbox, process, pressure, logger } = options;
  const { storeWithinMs = 2_500, replayAfterMs = 10_000, drainWithinMs = 10_000 } = options;
  const work = createInboxWork({ inbox, process, giveWay: pressure.giveWay, logger, replayAfterMs });
  const acknowledge = createAcknowledge(options);
  const inFlight = createInFlight();
  let closed = false;

  async function workOnceStored(stored: Promise<boolean>, key: string, delivery: Delivery): Promise<void> {
    // A store that failed is told by the ack's path; one that was only late is worked on all the same.
    const isNew = await stored.catch(() => false);
    if (!isNew) return;
    await work.run(key, { body: delivery.body, ack: answerNothing });
  }

  async function keep(delivery: Delivery, entry: InboxEntry): Promise<void> {
    const stored = inbox.put(entry);
    inFlight.add(workOnceStored(stored, entry.key, delivery));
    const late = () => refuse(`The inbox did not store a delivery within ${storeWithinMs} ms.`);
    await within(stored, { ms: storeWithinMs, late });
    await acknowledge(delivery);
  }

  /** An event that asks for nothing durable: Slack has no use for its failure, and would only send it again. */
  async function passOnEvent(delivery: Delivery): Promise<void> {
    await acknowledge(delivery);
    try {
      await process({ body: delivery.body, ack: answerNothing });
    } catch (error) {
      logger.warn({ err: error }, 'event_failed');
    }
  }

  async function passOn(delivery: Delivery): Promise<void> {
    let answered = false;
    const ack = async (response?: unknown): Promise<void> => {
      answered = true;
      await acknowledge(delivery, response);
    };
    try {
      await process({ body: delivery.body, ack });
    } catch (error) {
      if (!answered) throw error;
      logger.error({ err: error }, 'interaction_failed');
    }
    // Nobody listens to it: Slack need not ask again.
    if (!answered) await ack();
  }

  return {
    async take(delivery) {
      if (closed) refuse('Stopping: no new deliveries.');
      const entry = classify(delivery.body, options.botUserId());
      const pass = fieldsAt(delivery.body, 'event') === null ? passOn : passOnEvent;
      const taken = entry === null ? pass(delivery) : keep(delivery, entry);
      if (entry !== null) pressure.during(taken);
      inFlight.add(taken);
      await taken;
    },

    async replay(olderThanMs) {
      const replayed = work.replay(olderThanMs);
      inFlight.add(replayed);
      return replayed;
    },

    async close() {
      closed = true;
      const left = await inFlight.settled(drainWithinMs);
      if (left > 0) logger.warn({ left }, 'intake_stopped_with_work_left');
    },
  };
}

function refuse(problem: string): never {
  throw new StewardError(problem, { code: 'store_unavailable', retryable: true });
}

/** Answers Slack and measures it. Never rejects: what was stored or decided stays so, and its work goes on. */
function createAcknowledge({ telemetry, logger, monotonicMs = () => performance.now() }: DeliveriesOptions) {
  return async (delivery: Delivery, response?: unknown): Promise<void> => {
    try {
      await delivery.ack(response);
      telemetry.ackTook(monotonicMs() - delivery.receivedAtMs);
    } catch (error) {
      // The socket went away, or Slack stopped waiting.
      logger.warn({ err: error }, 'ack_not_delivered');
    }
  };
}
