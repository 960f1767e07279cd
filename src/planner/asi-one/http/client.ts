import OpenAI, { APIConnectionError } from 'openai';
import type { FailureCode } from '../../../domain/run.ts';
import { describeBody, failureForStatus } from '../refusal.ts';
import { parseRetryAfterMs } from './retry-policy.ts';
import { createTransport, describeError, RefusalError, TransportError } from './transport.ts';

/** The node timer's longest delay: the openai client cannot have its own limit switched off. */
const NEVER_MS = 2_147_483_647;

/**
 * What became of one request.
 *
 * - `opened`: the planner streams its answer.
 * - `retryable`: it certainly did nothing with the request (contract C28).
 * - `refused`: it answered that it will not.
 * - `lost`: no answer came, and the request may have been taken.
 */
export type Sent =
  | { kind: 'opened'; response: Response }
  | { kind: 'retryable'; reason: string; code: FailureCode; detail: string; retryAfterMs: number | null }
  | { kind: 'refused'; code: FailureCode; detail: string }
  | { kind: 'lost'; detail: string };

export interface PlannerClient {
  /** Sends one request, once. `signal` destroys it, while the body is read too. Details are not redacted. */
  send(request: { body: object; sessionId: string; signal: AbortSignal }): Promise<Sent>;
  close(): Promise<void>;
}

export function createPlannerClient(options: { apiKey: string; baseUrl: string; clock: () => number }): PlannerClient {
  const transport = createTransport();
  const openai = new OpenAI({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    // Nothing of another product's environment may reach this one's planner.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: NEVER_MS,
    fetch: transport.fetch,
  });
  return {
    async send({ body, sessionId, signal }) {
      try {
        const headers = { accept: 'text/event-stream', 'x-session-id': sessionId };
        const response = await openai.post('/chat/completions', { body, headers, signal, stream: true }).asResponse();
        return { kind: 'opened', response };
      } catch (error) {
        return errorToSent(error, options.clock());
      }
    },
    close: transport.close,
  };
}

/** The openai client hands on what the transport threw as the cause of its own error. */
function errorToSent(error: unknown, nowMs: number): Sent {
  const cause = error instanceof APIConnectionError ? error.cause : error;
  if (cause instanceof RefusalError) return refusalToSent(cause, nowMs);
  if (!(cause instanceof TransportError)) return { kind: 'lost', detail: describeError(cause) };
  const { unsent, detail } = cause;
  if (unsent === null) return { kind: 'lost', detail };
  return { kind: 'retryable', reason: unsent, code: 'planner_unavailable', detail, retryAfterMs: null };
}

function refusalToSent({ status, body, retryAfter }: RefusalError, nowMs: number): Sent {
  const code = failureForStatus(status);
  const detail = `${status} ${describeBody(body)}`.trim();
  if (status !== 429 && status !== 503) return { kind: 'refused', code, detail };
  const reason = status === 429 ? 'rate limited' : 'unavailable';
  return { kind: 'retryable', reason, code, detail, retryAfterMs: parseRetryAfterMs(retryAfter, nowMs) };
}
