/** What programs write when they had nothing to write, in JavaScript's and Python's spelling. */
const NOTHING: ReadonlySet<string> = new Set(['', 'undefined', 'null', 'NULL', 'NaN', 'nan', '[object Object]']);

/**
 * Whether a text is blank, or nothing but a word that stands for a missing value: such a field counts as missing. The
 * same words inside of a sentence are words. Spelled otherwise they are too: "Null" is a number in German.
 */
export function isNoText(text: string): boolean {
  return NOTHING.has(text.trim());
}

/** Whether a field of any form is missing: not there, null, or a text that is none. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isNoText(value));
}
