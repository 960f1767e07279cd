import type { WebClient } from '@slack/web-api';
import type { BotIdentity, Identity } from '../domain/ports/bot-identity.ts';
import type { PostTarget } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import { callSlack } from './map-error.ts';
import { carriesOperation, type MarkedMessage } from './operation-mark.ts';

const PAGE_SIZE = 200;
/** Slack reads a thread from its start, so a reply may stand on any page; 5,000 messages. */
const MAX_THREAD_PAGES = 25;
/** A channel is read from its end; 1,000 messages. */
const MAX_CHANNEL_PAGES = 5;

type FoundMessage = MarkedMessage & { ts?: string; user?: string; bot_id?: string };
type Page = { messages?: FoundMessage[]; response_metadata?: { next_cursor?: string } };

/**
 * The ts of the bot's own message for an operation, or null. Messages of others do not count: metadata is public, and
 * an app that copies an operation id must not make the bot keep silent.
 */
export async function findPosted(
  slack: { client: WebClient; logger: Logger; identity: BotIdentity },
  target: PostTarget,
): Promise<string | null> {
  const own = await slack.identity.resolve();
  const maxPages = target.threadTs === null ? MAX_CHANNEL_PAGES : MAX_THREAD_PAGES;
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await readPage(slack.client, { target, cursor });
    const found = page.messages?.find(
      (message) => isFrom(own, message) && carriesOperation(message, target.operationId),
    );
    if (found?.ts) return found.ts;
    cursor = page.response_metadata?.next_cursor || undefined;
    if (!cursor) return null;
  }
  slack.logger.warn({ operationId: target.operationId, maxPages }, 'slack_post_search_gave_up');
  return null;
}

function isFrom(own: Identity, message: FoundMessage): boolean {
  return message.user === own.botUserId || message.bot_id === own.botId;
}

async function readPage(
  client: WebClient,
  { target, cursor }: { target: PostTarget; cursor: string | undefined },
): Promise<Page> {
  const paging = {
    channel: target.channelId,
    limit: PAGE_SIZE,
    include_all_metadata: true,
    ...(cursor === undefined ? {} : { cursor }),
  };
  const { threadTs } = target;
  return threadTs === null
    ? callSlack('conversations.history', () => client.conversations.history(paging))
    : callSlack('conversations.replies', () => client.conversations.replies({ ...paging, ts: threadTs }));
}
