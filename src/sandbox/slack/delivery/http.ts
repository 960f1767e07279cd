import { Agent, request as httpRequest } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { SandboxState } from '../state.ts';
import type { Delivery, DeliveryResult, Transport } from './delivery.ts';
import { signRequest } from './sign.ts';

type RawPost = { url: string; headers: Record<string, string>; body: string; timeoutMs: number };
type Outcome = Omit<DeliveryResult, 'attempts'> & { failure: string | null; noRetry: boolean };

/** A request as a test wants it, unsigned unless it signs itself. `path` replaces that of the events URL. */
export type RawDelivery = { path?: string; headers?: Record<string, string>; body: string };

export type HttpTransport = Transport & { deliverRaw(raw: RawDelivery): Promise<DeliveryResult> };

const FORM = 'application/x-www-form-urlencoded';

function parseBody(text: string): unknown {
  if (text === '') return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return text;
  }
}

/** One POST. Never rejects: what went wrong is in `failure`, in the words of `x-slack-retry-reason`. */
function post({ url, headers, body, timeoutMs }: RawPost, agent: Agent): Promise<Outcome> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const fail = (failure: string) =>
      resolve({ acked: false, status: null, body: null, ackMs: null, failure, noRetry: false });
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const sent = httpRequest(url, { method: 'POST', headers: { ...length, ...headers }, agent }, async (answer) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(Buffer.from(chunk));
        const status = answer.statusCode ?? 0;
        const acked = status >= 200 && status < 300;
        const ackMs = performance.now() - startedAt;
        const rest = { failure: acked ? null : 'http_error', noRetry: answer.headers['x-slack-no-retry'] === '1' };
        resolve({ acked, status, body: parseBody(Buffer.concat(chunks).toString()), ackMs, ...rest });
      } catch {
        fail('connection_failed');
      } finally {
        clearTimeout(timer);
      }
    });
    const timer = setTimeout(() => {
      fail('http_timeout');
      sent.destroy();
    }, timeoutMs);
    sent.on('error', () => {
      clearTimeout(timer);
      fail('connection_failed');
    });
    sent.end(body);
  });
}

function encode(delivery: Delivery): { body: string; contentType: string } {
  const { kind, payload } = delivery;
  if (kind === 'events_api') return { body: JSON.stringify(payload), contentType: 'application/json' };
  const form = new URLSearchParams();
  if (kind === 'interactive') form.set('payload', JSON.stringify(payload));
  else for (const [name, value] of Object.entries(payload)) form.set(name, String(value));
  return { body: form.toString(), contentType: FORM };
}

function result({ acked, status, body, ackMs }: Outcome, attempts: number): DeliveryResult {
  return { acked, status, body, ackMs, attempts };
}

type RetryWaits = { wait(ms: number): Promise<void>; isClosed(): boolean; close(): void };

/**
 * The waits before retries, which all end when they are closed. Under load any number of events wait at a time: of one
 * abort signal for all of them Node would warn as of a leak.
 */
function createRetryWaits(): RetryWaits {
  const waiting = new Set<() => void>();
  let isClosed = false;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (isClosed) return resolve();
        const end = () => {
          clearTimeout(timer);
          waiting.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        waiting.add(end);
      }),
    isClosed: () => isClosed,
    close() {
      isClosed = true;
      for (const end of [...waiting]) end();
    },
  };
}

/** Creates the HTTP way to the app: signed, 3 s for the answer, three retries for events. */
export function createHttpTransport(input: { state: SandboxState; eventsUrl: () => string }): HttpTransport {
  const { setup } = input.state;
  const agent = new Agent({ keepAlive: true });
  const retryWaits = createRetryWaits();
  const timeoutMs = setup.ackTimeoutMs;

  const attempt = (delivery: Delivery, retry: { num: number; reason: string } | null) => {
    const { body, contentType } = encode(delivery);
    const timestampS = Math.floor(setup.now() / 1_000);
    const retryHeaders = retry && { 'x-slack-retry-num': String(retry.num), 'x-slack-retry-reason': retry.reason };
    const signature = signRequest({ body, secret: setup.signingSecret, timestampS });
    const headers = { 'content-type': contentType, ...signature, ...retryHeaders, ...delivery.headers };
    return post({ url: input.eventsUrl(), headers, body, timeoutMs }, agent);
  };

  const deliver = async (delivery: Delivery) => {
    const delays = delivery.kind === 'events_api' ? setup.retryDelaysMs : [];
    let outcome = await attempt(delivery, delivery.firstRetry ?? null);
    for (const [index, delayMs] of delays.entries()) {
      if (outcome.failure === null || outcome.noRetry || retryWaits.isClosed()) return result(outcome, index + 1);
      await retryWaits.wait(delayMs);
      if (retryWaits.isClosed()) return result(outcome, index + 1);
      outcome = await attempt(delivery, { num: index + 1, reason: outcome.failure });
    }
    return result(outcome, delays.length + 1);
  };

  return {
    deliver,
    async deliverRaw({ path, headers = {}, body }) {
      const url = path === undefined ? input.eventsUrl() : new URL(path, input.eventsUrl()).href;
      const typed = { 'content-type': 'application/json', ...headers };
      return result(await post({ url, headers: typed, body, timeoutMs }, agent), 1);
    },
    async close() {
      retryWaits.close();
      agent.destroy();
    },
  };
}
