import type { ReceiverEvent } from '@slack/bolt';
import type { Fields } from '../read/fields.ts';

/** One thing that Slack sent, over either transport. `ack` answers it; `receivedAtMs` is on the monotonic clock. */
export type Delivery = {
  body: Fields;
  ack: (response?: unknown) => Promise<void>;
  receivedAtMs: number;
};

/** Takes a delivery. Rejects when it must not count as received, so that Slack sees no ack and delivers it again. */
export type TakeDelivery = (delivery: Delivery) => Promise<void>;

/** Bolt's `processEvent`: runs the listeners and rejects when one fails. */
export type ProcessEvent = (event: ReceiverEvent) => Promise<void>;
