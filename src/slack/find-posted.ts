import type { WebClient } from '@slack/web-api';
import type { BotIdentity, Identity } from '../domain/ports/bot-identity.ts';
import type { PostTarget } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import { SlackError } from '../errors.ts';
import { callSlack } from './map-error.ts';
import { carriesOperation, type MarkedMessage } from './operation-mark.ts';

const PAGE_SIZE = 200;
/** Slack reads a thread from its start, so a reply may stand on any page; 5,000 messages. */
const MAX_THREAD_PAGES = 25;
/** A channel is read from its end; 1,000 messages. */
const MAX_CHANNEL_PAGES = 5;

type FoundMessage = MarkedMessage & { ts?: string; user?: string; bot_id?: string };
type Page = { messages?: FoundMessage[]; response_metadata?: { next_cursor?: string } };

type Search = { client: WebClient; logger: Logger; identity: BotIdentity };

/**
 * The ts of the bot's own message for an operation, or null. Messages of others do not count: metadata is public, and
 * an app that copies an operation id must not make the bot keep silent.
 *
 * Null also where Slack does not let the bot look, which the right to post does not give: a message that may then
 * stand there twice is better than one that is owed for ever.
 *
 * @throws {SlackError} when Slack cannot be asked now, or the thread is gone
 */
export async function findPosted(slack: Search, target: PostTarget): Promise<string | null> {
  const own = await ownIdentity(slack);
  try {
    return await searchPages(slack, { target, own });
  } catch (error) {
    if (!(error instanceof SlackError) || error.code !== 'slack_refused') throw error;
    slack.logger.warn({ operationId: target.operationId, slackCode: error.slackCode }, 'slack_post_search_refused');
    return null;
  }
}

/** Null while Slack does not say who the bot is: that must not hold up what can be found and posted without it. */
async function ownIdentity({ identity, logger }: Search): Promise<Identity | null> {
  try {
    return await identity.resolve();
  } catch (error) {
    logger.warn({ err: error }, 'bot_identity_unknown');
    return null;
  }
}

async function searchPages(
  slack: Search,
  { target, own }: { target: PostTarget; own: Identity | null },
): Promise<string | null> {
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

/** Any app's message counts while nobody knows which app is this one. */
function isFrom(own: Identity | null, message: FoundMessage): boolean {
  if (own === null) return message.bot_id !== undefined;
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
