import type { SectionBlock } from '@slack/types';
import { section } from './blocks.ts';
import { cleanText, escapeMrkdwn } from './text/escape.ts';
import { splitText } from './text/split-text.ts';

/** Half a section: in the worst case every character is a line end and gets a mark. */
const PIECE = 1_400;

/**
 * Text of others as a quotation, every line marked, so that none of it can pass for words of the bot. What does not fit
 * into `maxSections` is left out, and the last section says how much.
 */
export function quoteSections(text: string, maxSections: number): SectionBlock[] {
  const clean = cleanText(text).trim();
  const pieces = splitText(clean, PIECE);
  if (pieces.length <= maxSections) return pieces.map(quote);
  const kept = pieces.slice(0, maxSections - 1);
  const lost = clean.length - kept.reduce((sum, piece) => sum + piece.length, 0);
  return [...kept.map(quote), section(`_It goes on for ${lost} more characters, which are left out here._`)];
}

function quote(piece: string): SectionBlock {
  const lines = escapeMrkdwn(piece.trimEnd()).split('\n');
  return section(lines.map((line) => `>${line}`).join('\n'));
}
