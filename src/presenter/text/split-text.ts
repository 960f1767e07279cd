import { graphemeBoundary } from './escape.ts';

/**
 * Cuts text into pieces of at most `max` characters once escaped for mrkdwn, at a line end or a space where one is near.
 * The pieces put together are the text; pieces of nothing but white space are left out, because Slack refuses them.
 */
export function splitText(text: string, max: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = nicestCut(text, start, farthestCut(text, start, max));
    const piece = text.slice(start, end);
    if (piece.trim() !== '') pieces.push(piece);
    start = end;
  }
  return pieces;
}

/** The index after the last character that still fits. */
function farthestCut(text: string, start: number, max: number): number {
  let room = max;
  let index = start;
  while (index < text.length) {
    room -= escapedLength(text[index]);
    if (room < 0) break;
    index += 1;
  }
  return Math.max(index, start + 1);
}

/** Length once escaped; an `@` may get a zero-width space. */
function escapedLength(char: string | undefined): number {
  if (char === '&') return 5;
  if (char === '<' || char === '>') return 4;
  return char === '@' ? 2 : 1;
}

/** Prefers the last line end, then the last space, of the second half of what fits. */
function nicestCut(text: string, start: number, end: number): number {
  if (end >= text.length) return text.length;
  const middle = start + (end - start) / 2;
  for (const separator of ['\n', ' ']) {
    const at = text.lastIndexOf(separator, end - 1);
    if (at >= middle) return at + 1;
  }
  return Math.max(graphemeBoundary(text, end), start + 1);
}
