import { isolate, withoutMarks } from './direction.ts';
import { cleanText, truncate } from './escape.ts';

/** Words that stand for "nothing" when a field was filled carelessly. */
const EMPTY_WORDS = new Set(['', 'undefined', 'null', 'nan', '[object object]']);
/** Anything that can be seen: no mark of format, no space, and none of the letters that are drawn as nothing. */
const VISIBLE = /[^\p{C}\p{Z}\s\u115F\u1160\u2800\u3164\uFFA0]/u;
const RAW_JSON = /^\s*(?:\{\s*["}]|\[\s*[[{"])/;

/**
 * A field of the planner as one line of at most `max` characters, or null when it says nothing a person can read
 * (absent, blank, invisible, `undefined`, raw JSON). Right-to-left text is isolated. Not escaped: that depends on the field it goes
 * into.
 */
export function label(text: string | null, max: number): string | null {
  if (text === null) return null;
  const line = withoutMarks(cleanText(text.slice(0, max * 4)))
    .replace(/\s+/g, ' ')
    .trim();
  if (!saysSomething(line) || RAW_JSON.test(line)) return null;
  return oneLineWithin(withoutObjects(line), max);
}

/** A text to be read in full, as it is but for what says nothing; empty when that is all of it. */
export function meaningfulText(text: string): string {
  return saysSomething(text) ? withoutObjects(text) : '';
}

function saysSomething(text: string): boolean {
  return VISIBLE.test(text) && !EMPTY_WORDS.has(text.trim().toLowerCase());
}

function withoutObjects(text: string): string {
  return text.replaceAll('[object Object]', '…');
}

/** A line cut to `max` characters; right-to-left text is isolated within them. */
export function oneLineWithin(line: string, max: number): string {
  const isolated = isolate(line);
  return isolated.length <= max ? isolated : isolate(truncate(line, max - (isolated.length - line.length)));
}
