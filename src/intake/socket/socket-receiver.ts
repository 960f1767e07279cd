import type { SocketModeClient } from '@slack/socket-mode';
import type { Logger } from '../../domain/ports/logger.ts';
import { SlackError } from '../../errors.ts';
import type { Delivery, TakeDelivery } from '../inbox/delivery.ts';
import { fieldsAt } from '../read/fields.ts';
import { createSocketConnection } from './socket-connection.ts';
import { createSocketReport } from './socket-report.ts';
import type { CreateSocketClient } from './steady-socket-client.ts';

export interface SocketReceiver {
  /** Opens the sockets; resolves when one is up or all first attempts failed. Goes on trying. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Throws a `SlackError` when no socket is open. */
  check(): void;
}

type SocketReceiverOptions = {
  createClient: CreateSocketClient;
  /** Slack sends each envelope to one of them; with two, replacing one leaves no gap. */
  connections: number;
  take: TakeDelivery;
  toSocketError: (error: unknown) => SlackError;
  logger: Logger;
  monotonicMs?: () => number;
};

type AckEnvelope = (response?: unknown) => Promise<void>;

function isAck(value: unknown): value is AckEnvelope {
  return typeof value === 'function';
}

/** What Slack's client emits for each envelope, as a delivery; null for what is not one. */
function deliveryOf(emitted: unknown, receivedAtMs: number): Delivery | null {
  const envelope = fieldsAt(emitted);
  const body = fieldsAt(envelope, 'body');
  if (envelope === null || body === null || !isAck(envelope.ack)) return null;
  return { body, ack: envelope.ack, receivedAtMs };
}

/** Slack's deliveries over Socket Mode: several sockets, one stream of deliveries. An untaken one gets no ack. */
export function createSocketReceiver(options: SocketReceiverOptions): SocketReceiver {
  const { createClient, take, logger, monotonicMs = () => performance.now() } = options;

  function listen(client: SocketModeClient): void {
    client.on('slack_event', (emitted: unknown) => {
      const delivery = deliveryOf(emitted, monotonicMs());
      if (delivery === null) return;
      take(delivery).catch((error: unknown) => {
        logger.error({ err: error }, 'delivery_refused');
      });
    });
  }

  const report = createSocketReport(options);
  const connections = Array.from({ length: options.connections }, () =>
    createSocketConnection({ createClient, listen, report }),
  );

  return {
    async start() {
      // Every failure is logged where it happens, and readiness tells that no socket is open.
      await Promise.any(connections.map((connection) => connection.start())).catch(() => undefined);
    },
    async stop() {
      await Promise.all(connections.map((connection) => connection.stop()));
    },
    check() {
      if (connections.some((connection) => connection.isUp())) return;
      throw new SlackError('No Socket Mode connection to Slack is open.', {
        code: 'slack_unreachable',
        retryable: true,
      });
    },
  };
}
