import type { WebClient } from '@slack/web-api';
import type { MessageContent, PostTarget } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import { SlackError } from '../errors.ts';
import type { BlockFallback } from './block-fallback.ts';
import { callSlack } from './map-error.ts';
import { operationMetadata } from './operation-mark.ts';

/** Nothing in a text becomes a link, a mention or a preview that the presenter did not write (contract C12, C15). */
export const INERT_TEXT = { parse: 'none', link_names: false } as const;

/**
 * Posts one message and answers with its ts. When the thread's root is gone, Slack puts a reply into the channel
 * without a word: the stray is removed and `slack_thread_gone` thrown.
 */
export async function postMessage(
  slack: { client: WebClient; blockFallback: BlockFallback; logger: Logger },
  { target, content }: { target: PostTarget; content: MessageContent },
): Promise<string> {
  const posted = await slack.blockFallback.send(content, (blocks) =>
    callSlack('chat.postMessage', () =>
      slack.client.chat.postMessage({
        channel: target.channelId,
        text: content.text,
        ...(blocks.length > 0 ? { blocks } : {}),
        ...(target.threadTs === null ? {} : { thread_ts: target.threadTs }),
        ...INERT_TEXT,
        unfurl_links: false,
        unfurl_media: false,
        metadata: operationMetadata(target.operationId),
      }),
    ),
  );
  if (!posted.ts) {
    const problem = 'Slack took a message but did not say where it is.';
    throw new SlackError(problem, { code: 'slack_unreachable', retryable: true });
  }
  if (posted.message && posted.message.thread_ts !== target.threadTs && (await isThreadGone(slack, target))) {
    await removeStray(slack, { channelId: target.channelId, ts: posted.ts });
    throw new SlackError('The thread is gone: its first message was deleted.', {
      code: 'slack_thread_gone',
      retryable: false,
    });
  }
  return posted.ts;
}

/**
 * Asked only when Slack's answer does not show the message in its thread: an answer may leave that out, and a run must
 * not be stopped for it.
 */
async function isThreadGone(
  { client, logger }: { client: WebClient; logger: Logger },
  { channelId, threadTs }: PostTarget,
): Promise<boolean> {
  if (threadTs === null) return false;
  try {
    const thread = await callSlack('conversations.replies', () =>
      client.conversations.replies({ channel: channelId, ts: threadTs, limit: 1 }),
    );
    return thread.messages?.length === 0;
  } catch (error) {
    if (error instanceof SlackError && error.slackCode === 'thread_not_found') return true;
    logger.warn({ channelId, err: error }, 'slack_thread_not_checked');
    return false;
  }
}

async function removeStray(
  { client, logger }: { client: WebClient; logger: Logger },
  stray: { channelId: string; ts: string },
): Promise<void> {
  try {
    await callSlack('chat.delete', () => client.chat.delete({ channel: stray.channelId, ts: stray.ts }));
  } catch (error) {
    // The caller learns that the thread is gone all the same; a leftover message must not hide that.
    logger.warn({ ...stray, err: error }, 'slack_stray_not_removed');
  }
}

/**
 * Replaces what a message shows. Blocks and text always go together: text alone would remove the blocks and mark the
 * message as edited; `parse` is sent each time because Slack resets it (docs.slack.dev, chat.update).
 */
export async function updateMessage(
  slack: { client: WebClient; blockFallback: BlockFallback },
  { message, content }: { message: { channelId: string; ts: string }; content: MessageContent },
): Promise<void> {
  await slack.blockFallback.send(content, (blocks) =>
    callSlack('chat.update', () =>
      slack.client.chat.update({
        channel: message.channelId,
        ts: message.ts,
        text: content.text,
        blocks,
        ...INERT_TEXT,
      }),
    ),
  );
}
