import type { WebClient } from '@slack/web-api';
import type { MessageContent } from '../domain/ports/chat.ts';
import type { BlockFallback } from './block-fallback.ts';
import { callSlack } from './map-error.ts';
import { INERT_TEXT } from './post-message.ts';

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
