import { graphemeBoundary } from './escape.ts';

/**
 * Cuts mrkdwn that is escaped already into pieces of at most `max` characters, at line ends or spaces, never inside an
 * entity (`&amp;`) or one of our own tokens (`<@U1>`). The pieces put together are the text.
 */
export function splitMrkdwn(text: string, max: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = cutAt(text, start, start + max);
    const piece = text.slice(start, end);
    if (piece.trim() !== '') pieces.push(piece);
    start = end;
  }
  return pieces;
}

function cutAt(text: string, start: number, limit: number): number {
  if (limit >= text.length) return text.length;
  const middle = start + (limit - start) / 2;
  for (const separator of ['\n', ' ']) {
    const at = text.lastIndexOf(separator, limit - 1);
    if (at >= middle) return at + 1;
  }
  const token = /(?:&[a-z]{0,4}|<[^<>\s]*)$/.exec(text.slice(middle, limit));
  const end = token ? middle + token.index : graphemeBoundary(text, limit);
  return Math.max(end, start + 1);
}
