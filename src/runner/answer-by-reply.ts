import { noticeOperation } from '../domain/outbox.ts';
import type { Pause } from '../domain/pause.ts';
import type { IncomingRequest } from '../domain/ports/run-commands.ts';
import { readReply } from '../pause/read-reply.ts';
import { closedAt } from '../pause/times.ts';
import { actionResultText, filesNotPassedOnText } from '../presenter/texts.ts';
import type { RunnerParts } from './context.ts';
import { decide, notOpenResult } from './decide.ts';
import { postNotice } from './post-notice.ts';

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
  return pause.state === 'open' ? decideByReply(deps, { request, pause }) : cameTooLate(deps, { request, pause });
}

type Reply = { request: IncomingRequest; pause: Pause };

async function decideByReply(deps: RunnerParts, { request, pause }: Reply): Promise<boolean> {
  const result = await decide(deps, {
    pause,
    decision: {
      kind: 'clarification',
      answer: readReply(pause.request, request.text),
      source: 'reply',
      requestKey: request.requestKey,
    },
    termsDigest: null,
    actorId: request.actorId,
  });
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
