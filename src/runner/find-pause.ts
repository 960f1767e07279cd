import { cardOperation } from '../domain/outbox.ts';
import type { Pause } from '../domain/pause.ts';
import type { ActionResult, ClickContext } from '../domain/ports/run-commands.ts';
import { isRequester, type Run } from '../domain/run.ts';
import type { RunnerParts } from './context.ts';
import { notOpenResult } from './decide.ts';
import { noteRefusal, refuseStranger } from './refuse-click.ts';

type Found = { kind: 'open'; pause: Pause; run: Run };

/**
 * The open pause behind a click on its card: everything but its id comes from the store, and it was clicked where its
 * card stands (contract C36). Says nothing of who clicked.
 */
export async function findOpenPause(
  deps: RunnerParts,
  pauseId: string,
  click: ClickContext,
): Promise<Found | ActionResult> {
  const found = await findPause(deps, pauseId, click);
  return found.kind === 'found' ? openOnly(deps, found) : found;
}

/** The same, if the clicker is the run's requester, who alone answers clarifications and cards. */
export async function authorisePause(
  deps: RunnerParts,
  pauseId: string,
  click: ClickContext,
): Promise<Found | ActionResult> {
  const found = await findPause(deps, pauseId, click);
  if (found.kind !== 'found') return found;
  if (found.pause.request.kind === 'payment') return { kind: 'unknown' };
  if (isRequester(found.run, click.actorId)) return openOnly(deps, found);
  return refuseStranger(deps, { run: found.run, pauseId, actorId: click.actorId });
}

async function findPause(
  deps: RunnerParts,
  pauseId: string,
  click: ClickContext,
): Promise<{ kind: 'found'; pause: Pause; run: Run } | ActionResult> {
  const pause = await deps.store.pauses.get(pauseId);
  const run = pause && (await deps.store.runs.get(pause.runId));
  if (!pause || !run) return { kind: 'unknown' };
  const isAtCard =
    run.thread.channelId === click.channelId && (await isShownAt(deps, cardOperation(pauseId), click.messageTs));
  if (isAtCard) return { kind: 'found', pause, run };
  const reason = 'not where the card stands';
  await noteRefusal(deps, { runId: run.id, pauseId, actorId: click.actorId, reason });
  return { kind: 'unknown' };
}

function openOnly(deps: RunnerParts, { pause, run }: { pause: Pause; run: Run }): Found | Promise<ActionResult> {
  const isOpen = pause.state === 'open' && deps.now() < pause.deadlineAt;
  return isOpen ? { kind: 'open', pause, run } : notOpenResult(deps, pause);
}

/**
 * Whether a message of ours is the one that was clicked. A click can overtake the note of where a message was posted;
 * the channel and the opaque id then have to do.
 */
export async function isShownAt(deps: RunnerParts, operationId: string, messageTs: string | null): Promise<boolean> {
  const message = await deps.store.outbox.get(operationId);
  return message !== null && (message.ts === null || messageTs === null || message.ts === messageTs);
}
