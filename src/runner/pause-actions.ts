import { cardOperation } from '../domain/outbox.ts';
import type { Decision, Pause } from '../domain/pause.ts';
import type { ActionResult, ClickContext } from '../domain/ports/run-commands.ts';
import { isRequester } from '../domain/run.ts';
import type { RunnerParts } from './context.ts';
import { decide, notOpenResult } from './decide.ts';
import { refuseStranger } from './refuse-stranger.ts';

type Authorised = { kind: 'open'; pause: Pause };

/**
 * Checks a click on a pause's card: that the pause exists and was clicked where its card stands, that the clicker may
 * decide, and that it is still open. Everything but the pause's id comes from the store (contract C36).
 */
export async function authorisePause(
  deps: RunnerParts,
  pauseId: string,
  click: ClickContext,
): Promise<Authorised | ActionResult> {
  const pause = await deps.store.pauses.get(pauseId);
  const run = pause && (await deps.store.runs.get(pause.runId));
  if (!pause || !run) return { kind: 'unknown' };
  const isAtCard =
    run.thread.channelId === click.channelId && (await isShownAt(deps, cardOperation(pauseId), click.messageTs));
  if (!isAtCard) {
    await deps.store.audit.append({
      kind: 'decision_refused',
      runId: run.id,
      pauseId,
      actorId: click.actorId,
      reason: 'not where the card stands',
    });
    return { kind: 'unknown' };
  }
  if (!isRequester(run, click.actorId)) {
    return refuseStranger(deps, { kind: 'decision_refused', run, pauseId, actorId: click.actorId });
  }
  const isOpen = pause.state === 'open' && deps.now() < pause.deadlineAt;
  return isOpen ? { kind: 'open', pause } : notOpenResult(deps, pause);
}

/**
 * Whether a message of ours is the one that was clicked. A click can overtake the note of where a message was posted;
 * the channel and the opaque id then have to do.
 */
export async function isShownAt(deps: RunnerParts, operationId: string, messageTs: string | null): Promise<boolean> {
  const message = await deps.store.outbox.get(operationId);
  return message !== null && (message.ts === null || messageTs === null || message.ts === messageTs);
}

export async function chooseOption(
  deps: RunnerParts,
  input: { pauseId: string; optionIndex: number; click: ClickContext },
): Promise<ActionResult> {
  const authorised = await authorisePause(deps, input.pauseId, input.click);
  if (authorised.kind !== 'open') return authorised;
  const answer = authorised.pause.request.options[input.optionIndex];
  // Blank ones are not offered.
  if (answer === undefined || answer.trim() === '') return { kind: 'unknown' };
  return decideAs(deps, authorised.pause, {
    answer,
    source: 'option',
    actorId: input.click.actorId,
    termsDigest: null,
  });
}

export async function answerPause(
  deps: RunnerParts,
  input: { pauseId: string; text: string; termsDigest: string; click: ClickContext },
): Promise<ActionResult> {
  const authorised = await authorisePause(deps, input.pauseId, input.click);
  if (authorised.kind !== 'open') return authorised;
  return decideAs(deps, authorised.pause, {
    answer: input.text,
    source: 'modal',
    actorId: input.click.actorId,
    termsDigest: input.termsDigest,
  });
}

function decideAs(
  deps: RunnerParts,
  pause: Pause,
  input: { answer: string; source: Decision['source']; actorId: string; termsDigest: string | null },
): Promise<ActionResult> {
  return decide(deps, {
    pause,
    decision: { kind: 'clarification', answer: input.answer, source: input.source, requestKey: null },
    termsDigest: input.termsDigest,
    actorId: input.actorId,
  });
}
