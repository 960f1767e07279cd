import type { KnownBlock } from '@slack/types';
import type { Card } from '../../domain/card.ts';
import type { MessageContent } from '../../domain/ports/chat.ts';
import { context, textSections, weightedBytes } from '../blocks.ts';
import { fitBlocks } from '../fit-blocks.ts';
import { LIMITS } from '../limits.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { label } from '../text/label.ts';
import { splitText } from '../text/split-text.ts';
import { choiceList } from './interaction-choices.ts';
import { headingBlocks, type ImageStyle, itemBlocks } from './interaction-items.ts';

/** Ours: Slack refuses what is too large (`msg_blocks_too_long`) and documents no number. */
const MESSAGE_BYTES = 48_000;
const LIST_ROOM = { blocks: 15, bytes: 20_000 };
const NOTES_ROOM = { blocks: 3, bytes: 6_000 };
const NOTE = 300;

type Fitted = { kept: KnownBlock[]; isCut: boolean };

/** Title and items, as far as they fit into one message beside `others` and `reserved` more blocks. */
export function cardBody(
  card: Card,
  { images, others, reserved }: { images: ImageStyle; others: readonly KnownBlock[]; reserved: number },
): Fitted {
  return fitBlocks([...headingBlocks(card.title ?? ''), ...itemBlocks(card.items, images)], {
    blocks: LIMITS.message.blocks - others.length - reserved,
    bytes: MESSAGE_BYTES - weightedBytes(others),
  });
}

/** `choiceList` as blocks. */
export function choiceListBlocks(card: Card, form: Parameters<typeof choiceList>[1]): Fitted {
  return fitBlocks(textSections(choiceList(card, form), LIMITS.message.blocks), LIST_ROOM);
}

/** What could not be understood, in small print. */
export function noteBlocks(card: Card): Fitted {
  const lines = card.notUnderstood.map((line) => label(line, NOTE)).filter((line) => line !== null);
  if (lines.length === 0) return { kept: [], isCut: false };
  const text = `Not understood:\n${lines.map((line) => `• ${line}`).join('\n')}`;
  return fitBlocks(
    splitText(text, LIMITS.context.text).map((piece) => context(escapeMrkdwn(piece))),
    NOTES_ROOM,
  );
}

/** A message with a card's images drawn; where a workspace refuses them, with the images named. */
export function drawnCard(input: {
  card: Card;
  text: string;
  draw: (images: ImageStyle) => KnownBlock[];
}): MessageContent {
  const { card, text, draw } = input;
  const content: MessageContent = { text, blocks: draw('drawn') };
  const hasImages = card.items.some(({ type }) => type === 'image');
  return hasImages ? { ...content, fallbackBlocks: draw('named') } : content;
}
