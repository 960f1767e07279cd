import { graphemeBoundary } from '../text/escape.ts';

/** What would turn the rest of a paragraph into something else at the start of a message. */
const BLOCK_START = /^\s*(?:[-+*#>|=~`<]|\d{1,9}[.)])/;
/** How many places are tried before a cut is taken as it comes. */
const MAX_TRIES = 400;

/**
 * Cuts text into pieces of at most `max` characters: at a line end, else at a space, else between visible characters.
 * The white space cut at is dropped. `isGood` says which offsets are preferred.
 */
export function splitLines(text: string, max: number, isGood: (offset: number) => boolean = () => true): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > max) {
    const end = cutAt(text, { start, limit: start + max, isGood });
    pieces.push(text.slice(start, end).trimEnd());
    start = end + (/^\s+/.exec(text.slice(end, end + max))?.[0].length ?? 0);
  }
  return [...pieces, text.slice(start)].filter((piece) => piece.trim() !== '');
}

function cutAt(
  text: string,
  { start, limit, isGood }: { start: number; limit: number; isGood: (offset: number) => boolean },
): number {
  const earliest = start + Math.floor((limit - start) / 2);
  const isSafe = (offset: number) => isGood(offset) && !BLOCK_START.test(text.slice(offset, offset + 16));
  for (const accept of [isSafe, () => true]) {
    for (const separator of ['\n', ' ']) {
      const found = lastWhere(text, { separator, from: limit, to: earliest, accept });
      if (found !== null) return found;
    }
  }
  return Math.max(graphemeBoundary(text, limit), start + 1);
}

function lastWhere(
  text: string,
  search: { separator: string; from: number; to: number; accept: (offset: number) => boolean },
): number | null {
  let at = text.lastIndexOf(search.separator, search.from);
  for (let tries = 0; at > search.to && tries < MAX_TRIES; tries += 1) {
    if (search.accept(at)) return at;
    at = text.lastIndexOf(search.separator, at - 1);
  }
  return null;
}
