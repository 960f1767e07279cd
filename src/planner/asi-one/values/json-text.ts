import { parseJson } from './json-record.ts';

/** Longest JSON text that is parsed inside an event, in characters. */
const MAX_JSON_CHARS = 64 * 1024;

/** A value that may have been sent as JSON text: the object or list in it, or the value as it is. */
export function readJson(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > MAX_JSON_CHARS || !/^\s*[[{]/.test(value)) return value;
  return parseJson(value) ?? value;
}
