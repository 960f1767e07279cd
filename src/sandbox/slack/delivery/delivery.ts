import type { Json } from '../json.ts';

/** How the sandbox hands something to the app. */
export type DeliveryKind = 'events_api' | 'interactive' | 'slash_commands';

/** Something to hand over. Events are tried again, interactions and commands are not (slack.md 3.1). */
export type Delivery = {
  kind: DeliveryKind;
  payload: Json;
  /** Marks the first attempt as a retry, e.g. of a delivery that never arrived. */
  firstRetry?: { num: number; reason: string };
  /** Further headers, over HTTP only; they replace the sandbox's own. */
  headers?: Record<string, string>;
};

/** What became of a delivery. */
export type DeliveryResult = {
  /** Answered with 2xx, or acknowledged on the socket, in time. */
  acked: boolean;
  /** HTTP status of the last answer; 200 for an acknowledged envelope; null if none came. */
  status: number | null;
  /** The body of the answer, parsed if it is JSON. */
  body: unknown;
  attempts: number;
  /** How long the last attempt waited for its answer; null if none came. */
  ackMs: number | null;
};

/** A way to the app. */
export type Transport = {
  deliver(delivery: Delivery): Promise<DeliveryResult>;
  close(): Promise<void>;
};
