import { cleanText, graphemeBoundary } from './escape.ts';

/**
 * Cuts text into pieces of at most `max` characters once escaped for mrkdwn, at a line end or a space where one is near.
 * The pieces put together are the text; pieces of which nothing would show are left out, because Slack refuses them.
 */
export function splitText(text: string, max: number): string[] {
  return split(text, {
    farthest: (start) => farthestEscaped(text, start, max),
    fallback: (_middle, farthest) => graphemeBoundary(text, farthest),
  });
}

/**
 * The same for mrkdwn that is escaped already, so that its length counts as it is. Never cuts inside an entity
 * (`&amp;`) or one of our own tokens (`<@U1>`).
 */
export function splitMrkdwn(text: string, max: number): string[] {
  return split(text, {
    farthest: (start) => start + max,
    fallback: (middle, farthest) => {
      const token = /(?:&[a-z]{0,4}|<[^<>\s]*)$/.exec(text.slice(middle, farthest));
      return token ? middle + token.index : graphemeBoundary(text, farthest);
    },
  });
}

type Cuts = {
  /** The last place where the piece that begins at `start` can end. */
  farthest: (start: number) => number;
  /** Where to cut, up to `farthest`, when its second half (from `middle`) has neither a line end nor a space. */
  fallback: (middle: number, farthest: number) => number;
};

function split(text: string, { farthest, fallback }: Cuts): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const limit = farthest(start);
    const middle = start + (limit - start) / 2;
    const nicest = limit >= text.length ? text.length : lastSeparatorEnd(text, middle, limit);
    const end = nicest ?? Math.max(fallback(middle, limit), start + 1);
    const piece = text.slice(start, end);
    if (cleanText(piece).trim() !== '') pieces.push(piece);
    start = end;
  }
  return pieces;
}

function lastSeparatorEnd(text: string, from: number, to: number): number | null {
  for (const separator of ['\n', ' ']) {
    const at = text.lastIndexOf(separator, to - 1);
    if (at >= from) return at + 1;
  }
  return null;
}

function farthestEscaped(text: string, start: number, max: number): number {
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
