import { assertNever } from '../domain/assert-never.ts';
import {
  answerOperation,
  cardOperation,
  type NewOutboxMessage,
  runMessage,
  statusOperation,
} from '../domain/outbox.ts';
import type { AnswerableRequest } from '../domain/pause.ts';
import type { Leg, RunEnd } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';
import { pauseDeadline } from '../pause/deadline.ts';
import { termsDigest } from '../pause/terms-digest.ts';
import { answerParts } from '../presenter/answer.ts';
import { questionText } from '../presenter/question.ts';
import type { RunnerDeps } from './context.ts';
import type { Deliverer } from './deliverer.ts';
import type { LegResult } from './drive-leg.ts';
import type { Enqueuer } from './enqueuer.ts';
import type { AbortReason } from './live-legs.ts';

type ConcludeDeps = RunnerDeps & { deliverer: Deliverer; enqueuer: Enqueuer };

/** A leg that is over, with the run it belongs to as claimed. */
export type EndedLeg = { leg: Leg; run: Run; result: LegResult; abortReason: AbortReason | null };

/** Records how a leg ended and sees to what people are shown. Tool calls are not an end and never come here. */
export async function concludeLeg(deps: ConcludeDeps, ended: EndedLeg): Promise<void> {
  if (ended.abortReason === 'lost') return;
  const { outcome } = ended.result;
  const asksPerson =
    outcome.kind === 'paused' && outcome.request.kind === 'clarification' && ended.abortReason === null;
  if (asksPerson) return openPause(deps, ended, outcome.request as AnswerableRequest);
  await endRun(deps, ended, runEnd(ended));
}

function runEnd({ run, result, abortReason }: EndedLeg): RunEnd {
  const kept = { plan: result.plan, answer: result.text };
  const { outcome } = result;
  // Whatever else befell the leg meanwhile; an answer that was complete by then is still one.
  if (abortReason === 'stop' && outcome.kind !== 'finished') return { ...kept, state: 'stopped' };
  switch (outcome.kind) {
    case 'finished':
      return { ...kept, state: 'completed', messages: answerMessages(run, result.text) };
    case 'failed':
      return { ...kept, state: 'failed', failure: outcome.code };
    case 'cut':
      return { ...kept, state: 'interrupted', failure: 'stream_cut' };
    case 'tool-calls':
      return { ...kept, state: 'failed', failure: 'too_many_tool_rounds' };
    case 'paused':
      return {
        ...kept,
        ...(abortReason === null ? { state: 'failed', failure: 'pause_unsupported' } : abortedEnd(abortReason)),
      };
    case 'aborted':
      return { ...kept, ...abortedEnd(abortReason) };
    default:
      return assertNever(outcome);
  }
}

function abortedEnd(reason: AbortReason | null): Pick<RunEnd, 'state' | 'failure'> {
  switch (reason) {
    case 'stop':
      return { state: 'stopped' };
    case 'timeout':
      return { state: 'failed', failure: 'run_timeout' };
    case 'shutdown':
      return { state: 'interrupted', failure: 'process_stopped' };
    default:
      return { state: 'interrupted', failure: 'stream_cut' };
  }
}

function answerMessages(run: Run, answer: string): NewOutboxMessage[] {
  const parts = answerParts({ answer, runId: run.id });
  const count = parts.kind === 'file' ? 1 : parts.messages.length;
  return Array.from({ length: count }, (_, part) =>
    runMessage(run, { operationId: answerOperation(run.id, part), kind: 'answer', part }),
  );
}

/** Ends a run under its leg, then shows it: the status message, the answer, and the thread's next run. */
export async function endRun(deps: ConcludeDeps, ended: { leg: Leg; run: Run }, end: RunEnd): Promise<void> {
  const { ended: done, promotedRunId } = await deps.store.runs.endLeg(ended.leg, end);
  if (!done) return;
  deps.logger.info({ runId: ended.run.id, leg: ended.leg.epoch, state: end.state, failure: end.failure }, 'run_ended');
  const { kick, kickNow } = deps.deliverer;
  // Somebody pressed Stop and watches for what comes of it.
  (end.state === 'stopped' ? kickNow : kick)(statusOperation(ended.run.id));
  kick(...(end.messages ?? []).map((message) => message.operationId));
  await showPromoted(deps, promotedRunId);
}

/** The thread's next run may start now, and its status message no longer says that it waits. */
export async function showPromoted(
  deps: { deliverer: Deliverer; enqueuer: Enqueuer },
  promotedRunId: string | null,
): Promise<void> {
  if (promotedRunId === null) return;
  deps.deliverer.kick(statusOperation(promotedRunId));
  await deps.enqueuer.addById(promotedRunId);
}

async function openPause(deps: ConcludeDeps, ended: EndedLeg, request: AnswerableRequest): Promise<void> {
  const { leg, run, result } = ended;
  const openedAt = deps.now();
  const pause = {
    id: deps.createId(),
    request,
    termsDigest: termsDigest(request),
    openedAt,
    deadlineAt: pauseDeadline(openedAt, deps.settings.pauseTtlMs),
  };
  // A question that came only as metadata, or was only to be guessed, is still what the assistant said: a planner may
  // refuse an empty turn.
  const said = result.text.trim() === '' ? questionText(request) : result.text;
  const opened = await deps.store.runs.pauseLeg(leg, {
    pause,
    plan: result.plan,
    turns: [{ role: 'assistant', content: said }],
  });
  // Refused when somebody asked for a stop meanwhile, or the leg is another process's by now.
  if (!opened) return endRun(deps, ended, { state: 'stopped', plan: result.plan, answer: result.text });
  deps.logger.info({ runId: run.id, leg: leg.epoch, pauseId: pause.id, kind: request.kind }, 'run_paused');
  deps.deliverer.kick(cardOperation(pause.id));
  deps.deliverer.kick(statusOperation(run.id));
  await deps.queue.addExpiry(run.id, deps.settings.pauseTtlMs);
}
