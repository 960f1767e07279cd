import type { Card, CardChoice } from '../domain/card.ts';
import { noticeOperation } from '../domain/outbox.ts';
import { type Decision, isPauseOf, type Pause } from '../domain/pause.ts';
import type { IncomingRequest } from '../domain/ports/run-commands.ts';
import type { Run } from '../domain/run.ts';
import { isDecisionWord, readCardReply, readReply } from '../pause/read-reply.ts';
import { closedAt } from '../pause/times.ts';
import { actionResultText, filesNotPassedOnText, wordsDoNotDecideText } from '../presenter/texts.ts';
import type { RunnerParts } from './context.ts';
import { decide, notOpenResult } from './decide.ts';
import { wordsDecision } from './pause-actions.ts';
import { postNotice } from './post-notice.ts';
import { noteRefusal } from './refuse-click.ts';

/**
 * Takes a message in a thread for the answer to the question that stood there when it was written. `true` when it was
 * one: it decided, now or when it was first delivered, or it comes too late and its writer was told so. A message from
 * before the question, or from after it was settled, is something else.
 */
export async function answersPause(deps: RunnerParts, request: IncomingRequest): Promise<boolean> {
  const { pauses } = deps.store;
  if (await pauses.wasDecidedBy(request.requestKey)) return true;
  if (request.text === '' || request.requestTs === null) return false;
  const asked = { thread: request.thread, requesterId: request.actorId, ts: request.requestTs };
  const pause = await pauses.askedBefore(asked);
  if (!pause) return false;
  if (pause.state !== 'open') return cameTooLate(deps, { request, pause });
  const decision = replyDecision(pause, request);
  return decision ? decideByReply(deps, { request, pause, decision }) : saysNothing(deps, { request, pause });
}

/** What a reply answers: a choice or option that it names, or else words. Null for a payment. */
function replyDecision(pause: Pause, { text, requestKey }: IncomingRequest): Decision | null {
  const given = { source: 'reply', requestKey } as const;
  if (isPauseOf(pause, 'clarification'))
    return wordsDecision(pause, { text: readReply(pause.request, text), ...given });
  const choice = isPauseOf(pause, 'card') ? cardChoice(pause.request.card, text) : undefined;
  if (!choice) return wordsDecision(pause, { text, ...given });
  const { label, selection } = choice;
  return { kind: 'card', label, selection, text: null, isCancelled: false, ...given };
}

function cardChoice(card: Card, text: string): CardChoice | undefined {
  const index = readCardReply(card, text);
  return index === null ? undefined : card.choices[index];
}

/**
 * Words while a payment waits decide nothing (contract C18), and their writer is told so. A mere yes or no would make a
 * senseless request; anything else is kept as the next one.
 */
async function saysNothing(deps: RunnerParts, { request, pause }: Reply): Promise<boolean> {
  const isMere = isDecisionWord(request.text);
  await deps.chat.whisper({
    channelId: request.thread.channelId,
    threadTs: request.thread.threadTs,
    userId: request.actorId,
    text: wordsDoNotDecideText({ kept: !isMere }),
  });
  if (isMere) {
    const reason = 'words decide no payment';
    await noteRefusal(deps, { runId: pause.runId, pauseId: pause.id, actorId: request.actorId, reason });
  }
  return isMere;
}

/**
 * A mere yes or no, by somebody else than the requester, in a thread where a payment waits: an approver who has not seen
 * the buttons. `true` when it was one, and its writer was told.
 */
export async function saysYesToPayment(
  deps: RunnerParts,
  { request, live }: { request: IncomingRequest; live: readonly Run[] },
): Promise<boolean> {
  if (!isDecisionWord(request.text)) return false;
  for (const run of live.filter(({ state }) => state === 'paused')) {
    const pause = await deps.store.pauses.latestOf(run.id);
    if (pause?.state === 'open' && isPauseOf(pause, 'payment')) return saysNothing(deps, { request, pause });
  }
  return false;
}

type Reply = { request: IncomingRequest; pause: Pause };

async function decideByReply(
  deps: RunnerParts,
  { request, pause, decision }: Reply & { decision: Decision },
): Promise<boolean> {
  const result = await decide(deps, { pause, decision, termsDigest: null, actorId: request.actorId });
  if (result.kind !== 'accepted') {
    // Somebody was quicker, or the deadline has just passed.
    const now = await deps.store.pauses.get(pause.id);
    return now !== null && cameTooLate(deps, { request, pause: now });
  }
  if (request.files.length > 0) {
    const operationId = noticeOperation(request.requestKey);
    await postNotice(deps, request.thread, { operationId, text: filesNotPassedOnText(request.files) });
  }
  return true;
}

async function cameTooLate(deps: RunnerParts, { request, pause }: Reply): Promise<boolean> {
  const closed = closedAt(pause);
  if (closed === null || Number(request.requestTs) * 1000 >= closed.getTime()) return false;
  await deps.chat.whisper({
    channelId: request.thread.channelId,
    threadTs: request.thread.threadTs,
    userId: request.actorId,
    text: actionResultText(await notOpenResult(deps, pause)),
  });
  return true;
}
