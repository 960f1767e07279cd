import type { RespondFn } from '@slack/bolt';
import { errorMessage } from '../errors.ts';
import type { ListenerDeps } from './listener-deps.ts';

/** A text that only one person shall see. `respond` uses the response_url that came with what they did. */
type PrivateReply = {
  actorId: string;
  channelId: string;
  threadTs: string | null;
  respond: RespondFn | null;
  text: string;
};

type Way = () => Promise<unknown>;

async function tryInOrder(deps: ListenerDeps, ways: readonly Way[]): Promise<void> {
  const problems: string[] = [];
  for (const way of ways) {
    try {
      await way();
      return;
    } catch (error) {
      problems.push(errorMessage(error));
    }
  }
  deps.logger.warn({ problems }, 'private_reply_failed');
}

function byMethod(deps: ListenerDeps, reply: PrivateReply): Way {
  const { channelId, threadTs, actorId: userId, text } = reply;
  return () => deps.whisper({ channelId, threadTs, userId, text });
}

function byResponseUrl(reply: Pick<PrivateReply, 'respond' | 'threadTs' | 'text'>): Way[] {
  const { respond } = reply;
  if (respond === null) return [];
  const thread = reply.threadTs === null ? {} : { thread_ts: reply.threadTs };
  return [() => respond({ response_type: 'ephemeral', replace_original: false, text: reply.text, ...thread })];
}

/** Answers a click, in the thread it was made in. Never rejects: the click itself has been dealt with. */
export async function tellInThread(deps: ListenerDeps, reply: PrivateReply): Promise<void> {
  await tryInOrder(deps, [byMethod(deps, reply), ...byResponseUrl(reply)]);
}

/** Answers a slash command: its response_url works in channels that the bot is not in. Never rejects. */
export async function tellInChannel(deps: ListenerDeps, reply: PrivateReply): Promise<void> {
  await tryInOrder(deps, [...byResponseUrl(reply), byMethod(deps, reply)]);
}

/** Answers a click that does not say where it was made. Never rejects. */
export async function tellByResponseUrl(
  deps: ListenerDeps,
  reply: Pick<PrivateReply, 'respond' | 'text'>,
): Promise<void> {
  await tryInOrder(deps, byResponseUrl({ ...reply, threadTs: null }));
}
