import { BROADCAST_WORD } from '../text/escape.ts';

/**
 * A part of the source in which pings are left alone: `all` of them (code, bare URLs), or only the `words` such as
 * `@here` (link destinations, where they are part of an address).
 */
export type Shield = { start: number; end: number; kind: 'all' | 'words' };

type Unit = { char: string; end: number };

/** One character of the source, a backslash escape, or an entity that stands for a character of interest. */
const UNIT = /\\([!-/:-@[-`{-~])|&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|lt|LT|gt|GT|excl|commat|num|lsqb|rsqb|lpar);|[\s\S]/g;
const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  LT: '<',
  gt: '>',
  GT: '>',
  excl: '!',
  commat: '@',
  num: '#',
  lsqb: '[',
  rsqb: ']',
  lpar: '(',
};

/**
 * Slack's own markup: `<!channel>`, `<!subteam^…>`, `<!date^…>`, `<@U…>`, `<#C…>`; not HTML comments. And a link whose
 * destination would become such markup if Slack translated it to `<destination|text>`.
 */
const MARKUP = /<(?=!(?!--)|[@#])|\][(:][ \t\n]*<?(?=[!@])/g;

/** Offsets at which a break takes the power to ping from the text, in order. */
export function findPings(source: string, shields: readonly Shield[]): number[] {
  if (!/[<@&\\\]]/.test(source)) return [];
  const units = readUnits(source);
  const read = units.map((unit) => unit.char).join('');
  const offsets = [
    ...matchEnds(read, MARKUP, units).filter((offset) => !isShielded(offset, shields, 'markup')),
    ...matchEnds(read, BROADCAST_WORD, units).filter((offset) => !isShielded(offset, shields, 'words')),
  ];
  return [...new Set(offsets)].sort((a, b) => a - b);
}

function readUnits(source: string): Unit[] {
  const units: Unit[] = [];
  for (const match of source.matchAll(UNIT)) {
    const [whole, escaped, entity] = match;
    units.push({ char: escaped ?? (entity ? decode(entity) : whole), end: match.index + whole.length });
  }
  return units;
}

/** One UTF-16 unit, so that places in the text as read are places in the list of units. */
function decode(entity: string): string {
  if (!entity.startsWith('#')) return NAMED[entity] ?? '\uFFFD';
  const hex = entity[1] === 'x' || entity[1] === 'X';
  const code = Number.parseInt(entity.slice(hex ? 2 : 1), hex ? 16 : 10);
  return code > 0 && code < 0xffff ? String.fromCharCode(code) : '\uFFFD';
}

function matchEnds(read: string, pattern: RegExp, units: readonly Unit[]): number[] {
  return [...read.matchAll(pattern)].map((match) => units[match.index + match[0].length - 1]?.end ?? 0);
}

/** Binary search: shields do not overlap where they matter, and are in order. */
function isShielded(offset: number, shields: readonly Shield[], what: 'markup' | 'words'): boolean {
  let low = 0;
  let high = shields.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shields[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  const shield = shields[low - 1];
  return shield !== undefined && offset <= shield.end && (shield.kind === 'all' || what === 'words');
}
