import { cardOperation, statusOperation } from '../domain/outbox.ts';
import type { AnswerableRequest } from '../domain/pause.ts';
import type { Leg } from '../domain/ports/store.ts';
import { termsDigest } from '../pause/terms-digest.ts';
import { pauseDeadline } from '../pause/times.ts';
import { questionText } from '../presenter/question.ts';
import type { RunnerParts } from './context.ts';
import type { LegResult } from './drive-leg.ts';
import { endRun } from './end-run.ts';
import { untilStored } from './until-stored.ts';

/** Puts a leg's question in front of a person; the run waits, and its job ends. */
export async function openPause(
  deps: RunnerParts,
  { leg, result }: { leg: Leg; result: LegResult },
  request: AnswerableRequest,
): Promise<void> {
  const openedAt = deps.now();
  const pause = {
    id: deps.createId(),
    request,
    termsDigest: termsDigest(request),
    openedAt,
    deadlineAt: pauseDeadline(openedAt, deps.settings.pauseTtlMs),
  };
  const said = saidTurn(result.text, request);
  const { plan } = result;
  const paused = { pause, plan, turns: [{ role: 'assistant' as const, content: said }] };
  const opened = await untilStored(deps, () => deps.store.runs.pauseLeg(leg, paused));
  // Refused when somebody asked for a stop meanwhile, or the leg is another process's by now.
  if (!opened) return endRun(deps, leg, { state: 'stopped', plan, answer: result.text });
  deps.logger.info({ leg: leg.epoch, pauseId: pause.id, kind: request.kind }, 'run_paused');
  deps.sender.sendSoon(cardOperation(pause.id));
  deps.sender.sendSoon(statusOperation(leg.runId));
  await addExpiry(deps, leg.runId);
}

/**
 * The paused assistant turn. A question that came only as metadata, or was only to be guessed, is still what the
 * assistant said: a planner may refuse an empty turn, and needs to know what the answer is to.
 */
function saidTurn(text: string, request: AnswerableRequest): string {
  if (text.trim() === '') return questionText(request);
  return request.question === null || text.includes(request.question) ? text : request.question;
}

/** The sweep expires what has no job for it, only later. */
async function addExpiry(deps: RunnerParts, runId: string): Promise<void> {
  try {
    await deps.queue.addExpiry(runId, deps.settings.pauseTtlMs);
  } catch (error) {
    deps.logger.warn({ err: error }, 'expiry_not_queued');
  }
}
