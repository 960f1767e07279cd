import { isRecord, type JsonRecord, parseJson } from '../values/json-record.ts';

/** The answer to a card, cut before the selection that it ends with. `json` is the selection as it stands there. */
export type SplitSelection = { before: string; json: string; selection: JsonRecord };

const WORD = 'Selection: ';
/** Labels before the selection may hold its word too. */
const MAX_TRIES = 10;
const MAX_JSON_CHARS = 256 * 1024;

/** Splits a text that ends with `Selection: {…}` there; null for any other text. */
export function splitSelection(text: string): SplitSelection | null {
  if (!text.endsWith('}') || text.length > MAX_JSON_CHARS) return null;
  let at = text.indexOf(`${WORD}{`);
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries += 1) {
    const json = text.slice(at + WORD.length);
    const selection = parseJson(json);
    if (isRecord(selection) && isFlat(selection)) return { before: text.slice(0, at + WORD.length), json, selection };
    at = text.indexOf(`${WORD}{`, at + 1);
  }
  return null;
}

function isFlat(record: JsonRecord): boolean {
  return Object.values(record).every((value) => typeof value !== 'object' || value === null);
}
