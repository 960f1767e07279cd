import type { KnownBlock } from '@slack/types';
import type { CardItem } from '../../domain/card.ts';
import { context, plain, textSections } from '../blocks.ts';
import { type Fact, factSections } from '../facts.ts';
import { safeLinks } from '../link-buttons.ts';
import { escapeWithin, plainText, truncate } from '../text/escape.ts';
import { label, meaningfulText } from '../text/label.ts';

const HEADING = 150;
const ALT = 2_000;
const SECTIONS_PER_TEXT = 40;
const NO_ALT = 'An image without a description';

/** Whether images are drawn, or named by their alt text: Slack refuses a whole message whose image it cannot fetch. */
export type ImageStyle = 'drawn' | 'named';

type Shown = Exclude<CardItem, { type: 'row' }> | { type: 'rows'; facts: Fact[] };

/** What is to be read on a card, as blocks, in order. */
export function itemBlocks(items: readonly CardItem[], images: ImageStyle): KnownBlock[] {
  return joinRows(items).flatMap((item) => oneItem(item, images));
}

/** A title of others: a header where it fits Slack's, else text in full. */
export function headingBlocks(text: string): KnownBlock[] {
  const words = plainText(meaningfulText(text)).replace(/\s+/g, ' ').trim();
  if (words === '') return [];
  if (words.length <= HEADING) return [{ type: 'header', text: plain(words, HEADING) }];
  return textSections(words, SECTIONS_PER_TEXT);
}

/** The same as lines of plain text, for where blocks are scarce. */
export function itemsText(items: readonly CardItem[]): string {
  return items.map(itemLine).filter(Boolean).join('\n');
}

/** Rows that follow each other stand in one table. */
function joinRows(items: readonly CardItem[]): Shown[] {
  const shown: Shown[] = [];
  for (const item of items) {
    if (item.type !== 'row') {
      shown.push(item);
      continue;
    }
    const fact = { name: item.label, value: meaningfulText(item.value) };
    const last = shown.at(-1);
    if (last?.type === 'rows') last.facts.push(fact);
    else shown.push({ type: 'rows', facts: [fact] });
  }
  return shown;
}

function oneItem(item: Shown, images: ImageStyle): KnownBlock[] {
  switch (item.type) {
    case 'heading':
      return headingBlocks(item.text);
    case 'text':
      return textSections(meaningfulText(item.text), SECTIONS_PER_TEXT);
    case 'rows':
      return factSections(item.facts);
    case 'image':
      return [imageBlock(item, images)];
    default:
      return [{ type: 'divider' }];
  }
}

function imageBlock(item: Extract<CardItem, { type: 'image' }>, images: ImageStyle): KnownBlock {
  const alt = label(item.alt, ALT) ?? NO_ALT;
  const [link] = safeLinks([item.url]);
  if (!link)
    return context(`_An image was left out, because its address is not safe:_ ${escapeWithin(alt, ALT - 100)}`);
  if (images === 'named') return context(`_Image:_ ${escapeWithin(alt, ALT - 100)}`);
  return { type: 'image', image_url: link.href, alt_text: truncate(plainText(alt), ALT) };
}

function itemLine(item: CardItem): string {
  switch (item.type) {
    case 'row':
      return `${item.label}: ${meaningfulText(item.value) || '–'}`;
    case 'image':
      return `[Image: ${label(item.alt, ALT) ?? NO_ALT}]`;
    case 'divider':
      return '———';
    default:
      return meaningfulText(item.text);
  }
}
