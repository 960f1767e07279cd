import type { Server } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { WebSocket } from 'ws';
import type { Json } from '../json.ts';
import type { SandboxState } from '../state.ts';
import type { Delivery, DeliveryResult, Transport } from './delivery.ts';
import { createSocketPool, type SocketPool, sendJson } from './socket-pool.ts';

/** Socket Mode as a way to the app, with the means to disturb it. */
export type SocketTransport = Transport & Pick<SocketPool, 'openUrl' | 'refresh' | 'drop' | 'readyCount'>;

type Ack = { acked: boolean; body: unknown };
type InFlight = { socket: WebSocket; settle: (ack: Ack) => void };

const UNACKED: Ack = { acked: false, body: null };

function envelopeOf(delivery: Delivery, envelopeId: string, retries: number): Json {
  const base = { envelope_id: envelopeId, payload: delivery.payload, type: delivery.kind };
  if (delivery.kind !== 'events_api') return { ...base, accepts_response_payload: true };
  const num = retries + (delivery.firstRetry?.num ?? 0);
  const reason = num === 0 ? '' : (delivery.firstRetry?.reason ?? 'timeout');
  return { ...base, accepts_response_payload: false, retry_attempt: num, retry_reason: reason };
}

/**
 * Creates Socket Mode. It owns the socket pool and the envelopes that wait for an acknowledgement.
 *
 * An envelope goes: waiting for a socket (events only) → sent to one socket → acknowledged, or sent again (to the next
 * socket, after the ack time or when its socket closes) until the retries are used up. Waiting for a socket counts as a
 * failed attempt: the event then arrives marked as a retry.
 */
export function createSocketTransport(input: { state: SandboxState; server: Server }): SocketTransport {
  const { state, server } = input;
  const { ackTimeoutMs, retryDelaysMs } = state.setup;
  const inFlight = new Map<string, InFlight>();
  let closed = false;

  const pool = createSocketPool({
    state,
    server,
    onMessage: (message) =>
      inFlight.get(String(message.envelope_id))?.settle({ acked: true, body: message.payload ?? null }),
    onClose(socket) {
      for (const envelope of [...inFlight.values()]) if (envelope.socket === socket) envelope.settle(UNACKED);
    },
  });

  const attempt = (delivery: Delivery, retries: number): Promise<Ack> => {
    const socket = pool.next();
    if (socket === undefined || closed) return Promise.resolve(UNACKED);
    const envelopeId = state.ids.uuid();
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(UNACKED), ackTimeoutMs);
      const settle = (ack: Ack) => {
        clearTimeout(timer);
        inFlight.delete(envelopeId);
        resolve(ack);
      };
      inFlight.set(envelopeId, { socket, settle });
      sendJson(socket, envelopeOf(delivery, envelopeId, retries));
    });
  };

  const deliver = async (delivery: Delivery): Promise<DeliveryResult> => {
    const isEvent = delivery.kind === 'events_api';
    const maxAttempts = isEvent ? retryDelaysMs.length + 1 : 1;
    let retries = 0;
    for (let attempts = 1; ; attempts += 1) {
      if (isEvent && pool.readyCount() === 0) {
        await pool.whenReady();
        retries = Math.max(1, retries);
      }
      const startedAt = performance.now();
      const { acked, body } = await attempt(delivery, retries);
      if (acked) return { acked, status: 200, body, attempts, ackMs: performance.now() - startedAt };
      if (attempts >= maxAttempts || closed) return { acked, status: null, body, attempts, ackMs: null };
      retries += 1;
    }
  };

  return {
    deliver,
    openUrl: pool.openUrl,
    refresh: pool.refresh,
    drop: pool.drop,
    readyCount: pool.readyCount,
    async close() {
      closed = true;
      for (const envelope of [...inFlight.values()]) envelope.settle(UNACKED);
      await pool.close();
    },
  };
}
