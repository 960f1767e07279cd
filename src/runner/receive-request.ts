import { noticeOperation, statusOperation } from '../domain/outbox.ts';
import type { IncomingRequest } from '../domain/ports/run-commands.ts';
import { isRequester, type Run } from '../domain/run.ts';
import { helpText, nothingToStopText, onlyRequesterStopsText, stopAllText } from '../presenter/texts.ts';
import { answersPause, saysYesToPayment } from './answer-by-reply.ts';
import type { RunnerParts } from './context.ts';
import { postNotice } from './post-notice.ts';
import { refuseStranger } from './refuse-click.ts';
import { stopAll, stopRun } from './stop-run.ts';
import { isStopWord } from './stop-word.ts';

/**
 * Takes a message that is addressed to Steward, or that stands in one of its threads. In this order it is: not for
 * Steward, a request that was taken before, a request to stop, the answer to an open clarification, a call for help,
 * or a request.
 */
export async function receiveRequest(deps: RunnerParts, request: IncomingRequest): Promise<void> {
  const live = request.isReply ? await deps.store.runs.liveInThread(request.thread) : [];
  if (request.source === 'reply' && !(await isForSteward(deps, { request, live }))) return;
  if (await isKnownRequest(deps, request)) return startRun(deps, request);
  if (isStopWord(request.text)) return receiveStop(deps, { request, live });
  if (request.isReply && (await answersPause(deps, request))) return;
  if (await saysYesToPayment(deps, { request, live })) return;
  if (asksForHelp(request)) return replyTo(deps, request, helpText());
  await startRun(deps, request);
}

function asksForHelp({ text, files }: IncomingRequest): boolean {
  return files.length === 0 && /^(?:help[\s.!?]*)?$/i.test(text);
}

function replyTo(deps: RunnerParts, request: IncomingRequest, text: string): Promise<void> {
  return postNotice(deps, request.thread, { operationId: noticeOperation(request.requestKey), text });
}

type InThread = { request: IncomingRequest; live: readonly Run[] };

/**
 * A reply without a mention is meant for Steward only when someone writes it whose run is under way there, or who asked
 * for the newest one, and not to somebody else: people must be able to talk in a thread without starting runs.
 */
async function isForSteward(deps: RunnerParts, { request, live }: InThread): Promise<boolean> {
  if (/^<@[UW][A-Z0-9]+(\|[^>]*)?>/.test(request.text)) return false;
  if (live.some((run) => isRequester(run, request.actorId))) return true;
  const latest = await deps.store.runs.latestInThread(request.thread);
  return latest !== null && isRequester(latest, request.actorId);
}

/**
 * A message that has become a run stays that, when it comes again after a crash or an edit: it answers no question that
 * was asked since, and stops nothing. A message outside of threads can only be taken for a stop.
 */
async function isKnownRequest(deps: RunnerParts, request: IncomingRequest): Promise<boolean> {
  if (request.requestTs === null || !(request.isReply || isStopWord(request.text))) return false;
  const { thread, requestTs } = request;
  return (await deps.store.runs.byRequest({ channelId: thread.channelId, requestTs })) !== null;
}

async function receiveStop(deps: RunnerParts, { request, live }: InThread): Promise<void> {
  if (!request.isReply) {
    const count = await stopAll(deps, { actorId: request.actorId, channelId: request.thread.channelId });
    return replyTo(deps, request, stopAllText(count));
  }
  const earlier = live.filter((run) => !isAskedAfter(run, request));
  const own = earlier.find((run) => isRequester(run, request.actorId));
  if (own) return void (await stopRun(deps, own.id, request.actorId));
  const [current] = earlier;
  if (!current) return replyTo(deps, request, nothingToStopText());
  await refuseStranger(deps, { run: current, actorId: request.actorId });
  await deps.chat.whisper({
    channelId: request.thread.channelId,
    threadTs: request.thread.threadTs,
    userId: request.actorId,
    text: onlyRequesterStopsText(current.requesterId),
  });
}

/** A stop that comes late, or once more after a crash, is not meant for what was asked since. */
function isAskedAfter(run: Run, { requestTs }: IncomingRequest): boolean {
  if (run.source === 'start_over' || run.requestTs === null || requestTs === null) return false;
  return Number(run.requestTs) > Number(requestTs);
}

async function startRun(deps: RunnerParts, request: IncomingRequest): Promise<void> {
  await admitRun(deps, { ...request, requesterId: request.actorId });
}

/** Stores a request as a run, shows that it was taken, and hands it to the queue. Idempotent by `requestKey`. */
export async function admitRun(
  deps: RunnerParts,
  request: Omit<IncomingRequest, 'actorId' | 'isReply'> & { requesterId: string },
): Promise<void> {
  const { requestKey, thread, requesterId, requestTs, source, text, files } = request;
  const admitted = await deps.store.runs.admit({
    id: deps.createId(),
    sessionId: deps.createId(),
    requestKey,
    thread,
    requesterId,
    requestTs,
    source,
    text,
    files,
  });
  showAdmitted(deps, admitted.run);
  if (admitted.created) deps.logger.info({ runId: admitted.run.id, source, ahead: admitted.ahead }, 'run_admitted');
}

/** Shows a queued run's status message and starts it when it is its thread's turn. */
export function showAdmitted(deps: RunnerParts, run: Run): void {
  deps.sender.sendSoon(statusOperation(run.id));
  if (run.isCurrent && run.state === 'queued') deps.enqueuer.add(run);
}
