import type { Json } from '../json.ts';
import type { SandboxState } from '../state.ts';
import type { Delivery, DeliveryResult, Transport } from './delivery.ts';
import { eventEnvelope } from './events.ts';

/** An event as it was sent, kept for redelivery. */
export type SentEvent = { payload: Json; eventId: string; eventType: string; messageTs: string | null };

export type EventOptions = Pick<Delivery, 'headers' | 'firstRetry'>;

export type RedeliverOptions = {
  /** A fresh event id, as Slack was once seen to do. Default: the same id. */
  newEventId?: boolean;
  /** The number and reason that the delivery carries as a retry; default none. */
  retry?: { num: number; reason: string };
  /** How many copies. Default 1. */
  times?: number;
  /** Only events of this type, e.g. `app_mention`. Default all that were sent for the message. */
  eventType?: string;
};

/** Hands things to the app over the transport in use, and remembers the events. */
export type Courier = {
  event(event: Json, options?: EventOptions): Promise<DeliveryResult>;
  interaction(payload: Json): Promise<DeliveryResult>;
  command(payload: Json): Promise<DeliveryResult>;
  /** Sends events again, all copies at once; `key` is an event id or the ts of a message. */
  redeliver(key: string, options?: RedeliverOptions): Promise<DeliveryResult[]>;
  sent(): readonly SentEvent[];
};

/** Creates the courier of one sandbox. `transport` is asked at each delivery: HTTP once an events URL is set. */
export function createCourier(input: { state: SandboxState; transport: () => Transport }): Courier {
  const { state } = input;
  const sent: SentEvent[] = [];
  const send = (delivery: Delivery) => input.transport().deliver(delivery);

  const remember = (payload: Json, event: Json) => {
    const { ts } = event;
    const messageTs = typeof ts === 'string' ? ts : null;
    sent.push({ payload, eventId: String(payload.event_id), eventType: String(event.type), messageTs });
  };

  return {
    event(event, options = {}) {
      const payload = eventEnvelope(state, event);
      remember(payload, event);
      return send({ kind: 'events_api', payload, ...options });
    },
    interaction: (payload) => send({ kind: 'interactive', payload }),
    command: (payload) => send({ kind: 'slash_commands', payload }),
    redeliver(key, options = {}) {
      const wanted = sent.filter(
        (event) =>
          (event.eventId === key || event.messageTs === key) &&
          (options.eventType === undefined || event.eventType === options.eventType),
      );
      if (wanted.length === 0) throw new Error(`No event with id or message ts ${key} was sent`);
      const copies = wanted.flatMap((event) => Array.from({ length: options.times ?? 1 }, () => event));
      return Promise.all(
        copies.map(({ payload, eventId }) => {
          const id = options.newEventId === true ? state.ids.next('Ev') : eventId;
          const retry = options.retry === undefined ? {} : { firstRetry: options.retry };
          return send({ kind: 'events_api', payload: { ...payload, event_id: id }, ...retry });
        }),
      );
    },
    sent: () => sent,
  };
}
