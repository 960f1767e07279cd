import { sleep } from '../../async/sleep.ts';
import { type SetTimer, startTimer } from '../../async/timer.ts';
import type { LegOutcome, PlannerEvent } from '../../domain/planner-event.ts';
import type { Logger } from '../../domain/ports/logger.ts';
import type { LegRequest, Planner } from '../../domain/ports/planner.ts';
import { createPlannerClient, type PlannerClient, type Sent } from './http/client.ts';
import { createIdleLimit, type IdleLimit } from './http/idle-limit.ts';
import { toRequestBody } from './http/request-body.ts';
import { DEFAULT_RETRY, type RetryPolicy, retryDelayMs } from './http/retry-policy.ts';
import { describeError } from './http/transport.ts';
import { redact } from './redact.ts';
import { createLegReader } from './stream/leg-reader.ts';

export type AsiOneOptions = {
  apiKey: string;
  /** Such as `https://api.asi1.ai/v1`. */
  baseUrl: string;
  model: string;
  /** Addresses offered to every run, checked by `agentAddressProblem`. */
  agents: readonly string[];
  /** Silence after which a leg fails as `planner_idle`; any byte counts as life. */
  idleTimeoutMs: number;
  logger: Logger;
  /** Default: 5 attempts, 0.5 s doubling to 15 s. */
  retry?: RetryPolicy;
  setTimer?: SetTimer;
  clock?: () => number;
  /** From 0 to 1, to spread retries. */
  random?: () => number;
};

type Context = Required<AsiOneOptions> & { client: PlannerClient };

/**
 * The planner of ASI:One (docs.asi1.ai, planner page), over HTTP and server-sent events.
 *
 * Folders, each importing only those named after it: `http/` sends a request; `stream/` reads bytes into events;
 * `pause/` finds what a person is asked; `payment/` and `card/` read one payment request and one card from an object;
 * `values/` reads single values of any JSON.
 *
 * A leg: sending ⇄ waiting to send again → streaming → over. It is sent again only while it certainly did not reach
 * the planner (contract C28). Each attempt owns one connection, destroyed when the leg is over, for whatever reason.
 */
export function createAsiOnePlanner(options: AsiOneOptions): Planner & { close(): Promise<void> } {
  const clock = options.clock ?? Date.now;
  const client = createPlannerClient({ apiKey: options.apiKey, baseUrl: options.baseUrl, clock });
  const defaults = { retry: DEFAULT_RETRY, setTimer: startTimer, random: Math.random };
  const context: Context = { ...defaults, ...options, clock, client };
  return {
    async *openLeg(request, signal) {
      for await (const event of runLeg(context, request, signal)) {
        if (signal.aborted) return;
        yield withRedaction(event, [options.apiKey, request.sessionId]);
      }
    },
    close: client.close,
  };
}

async function* runLeg(context: Context, request: LegRequest, signal: AbortSignal): AsyncGenerator<PlannerEvent> {
  const body = toRequestBody({ model: context.model, agents: context.agents, turns: request.turns });
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const retry = yield* runAttempt(context, { body, sessionId: request.sessionId, signal });
    if (retry === null || signal.aborted) return;
    if (attempt >= context.retry.attempts) return yield failedEnd(retry);
    const waitMs = retryDelayMs(context.retry, { attempt, retryAfterMs: retry.retryAfterMs, random: context.random });
    const { code, reason } = retry;
    yield { type: 'retrying', attempt: attempt + 1, waitMs, code, reason };
    await sleep(waitMs, { signal, setTimer: context.setTimer });
    if (!signal.aborted && request.mayRepeat && !(await request.mayRepeat())) return;
  }
}

type Retryable = Extract<Sent, { kind: 'retryable' }>;
type Attempt = { body: object; sessionId: string; signal: AbortSignal };

/** One request and its stream, up to its `end`; returns the refusal when it may go out again. */
async function* runAttempt(context: Context, attempt: Attempt): AsyncGenerator<PlannerEvent, Retryable | null> {
  const connection = new AbortController();
  const destroy = (): void => connection.abort();
  attempt.signal.addEventListener('abort', destroy);
  const idle = createIdleLimit({ timeoutMs: context.idleTimeoutMs, onIdle: destroy, setTimer: context.setTimer });
  try {
    const sent = await idle.within(context.client.send({ ...attempt, signal: connection.signal }));
    if (attempt.signal.aborted) return null;
    if (idle.passed) yield idleEnd(context);
    else if (sent.kind === 'retryable') return sent;
    else if (sent.kind === 'refused') yield failedEnd(sent);
    else if (sent.kind === 'lost') yield cutEnd(sent.detail);
    else yield* readStream(context, { response: sent.response, idle });
    return null;
  } finally {
    attempt.signal.removeEventListener('abort', destroy);
    destroy();
  }
}

async function* readStream(
  context: Context,
  stream: { response: Response; idle: IdleLimit },
): AsyncGenerator<PlannerEvent> {
  const { response, idle } = stream;
  context.logger.debug(
    { status: response.status, contentType: response.headers.get('content-type') },
    'planner_opened',
  );
  yield { type: 'opened' };
  const reader = createLegReader();
  const body = response.body?.getReader();
  try {
    while (body !== undefined) {
      const { done, value } = await idle.within(body.read());
      if (done) break;
      const events = reader.push(value);
      yield* events;
      if (events.at(-1)?.type === 'end') return;
    }
    yield* reader.end();
  } catch (error) {
    yield idle.passed ? idleEnd(context) : cutEnd(describeError(error));
  }
}

function idleEnd({ idleTimeoutMs }: Context): PlannerEvent {
  return failedEnd({ code: 'planner_idle', detail: `nothing arrived for ${idleTimeoutMs} ms` });
}

function failedEnd({ code, detail }: Pick<Extract<LegOutcome, { kind: 'failed' }>, 'code' | 'detail'>): PlannerEvent {
  return { type: 'end', outcome: { kind: 'failed', code, detail } };
}

function cutEnd(detail: string): PlannerEvent {
  return { type: 'end', outcome: { kind: 'cut', detail } };
}

function withRedaction(event: PlannerEvent, secrets: readonly string[]): PlannerEvent {
  if (event.type !== 'end' || !('detail' in event.outcome)) return event;
  return { type: 'end', outcome: { ...event.outcome, detail: redact(event.outcome.detail, secrets) } };
}
