import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { FailureCode } from '../../domain/run.ts';
import { errorMessage } from '../../errors.ts';
import { describeBody, failureForStatus } from './refusal.ts';
import { parseRetryAfterMs } from './retry-policy.ts';
import { createTransport, describeError, TransportError } from './transport.ts';

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
        return classify(error, options.clock());
      }
    },
    close: transport.close,
  };
}

function classify(error: unknown, nowMs: number): Sent {
  if (error instanceof APIConnectionError) return classifySilence(error.cause ?? error);
  if (!(error instanceof APIError) || error.status === undefined) return { kind: 'lost', detail: describeError(error) };
  const code = failureForStatus(error.status);
  const detail = describeRefusal(error);
  if (error.status !== 429 && error.status !== 503) return { kind: 'refused', code, detail };
  const retryAfterMs = parseRetryAfterMs(error.headers?.get('retry-after') ?? null, nowMs);
  return {
    kind: 'retryable',
    reason: error.status === 429 ? 'rate limited' : 'unavailable',
    code,
    detail,
    retryAfterMs,
  };
}

function classifySilence(error: unknown): Sent {
  if (!(error instanceof TransportError)) return { kind: 'lost', detail: describeError(error) };
  const { unsent, detail } = error;
  if (unsent === null) return { kind: 'lost', detail };
  return { kind: 'retryable', reason: unsent, code: 'planner_unavailable', detail, retryAfterMs: null };
}

function describeRefusal(error: APIError): string {
  // The openai client writes the status before the body, and the body as JSON or as it came.
  return describeBody(errorMessage(error));
}
