import { isRecord, own } from '../values/json-record.ts';

/** Bounds of the card protocol, and how deep the JSON around them goes. */
const MAX_BYTES = 64 * 1024;
const MAX_TREE_DEPTH = 8;
/** Each level of a custom tree takes up to four of JSON (list, items, item, children); a button's selection takes two. */
const MAX_CUSTOM_JSON_DEPTH = MAX_TREE_DEPTH * 4 + 4;
const MAX_JSON_DEPTH = 8;

type Entry = { value: unknown; jsonDepth: number; treeDepth: number };

/** Why JSON text is too large to be parsed as a card, or null. */
export function textSizeProblem(text: string): string | null {
  return text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES ? TOO_LARGE : null;
}

const TOO_LARGE = 'The card is larger than 64 KB, so it is not shown.';
const TOO_DEEP = 'The card is nested more than 8 levels deep, so it is not shown.';

/**
 * Why a card's payload is too large (64 KB) or too deep (8 levels: of elements in a custom card, of JSON in any other)
 * to be read, or null. Uses no recursion and stops at the first bound passed.
 */
export function cardSizeProblem(payload: unknown, isCustom: boolean): string | null {
  const maxJsonDepth = isCustom ? MAX_CUSTOM_JSON_DEPTH : MAX_JSON_DEPTH;
  const pending: Entry[] = [{ value: payload, jsonDepth: 1, treeDepth: 1 }];
  let bytes = 0;
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { value, jsonDepth, treeDepth } = entry;
    bytes += sizeOf(value);
    if (bytes > MAX_BYTES) return TOO_LARGE;
    if (typeof value !== 'object' || value === null) continue;
    // A list of children is no element: an empty one below the last level is none too deep.
    const isTooDeep = isCustom && isRecord(value) && treeDepth > MAX_TREE_DEPTH;
    if (isTooDeep || jsonDepth > maxJsonDepth) return TOO_DEEP;
    for (const [key, inner] of children(value)) {
      const isLevel = key === 'children';
      pending.push({ value: inner, jsonDepth: jsonDepth + 1, treeDepth: treeDepth + (isLevel ? 1 : 0) });
    }
  }
  return null;
}

function children(value: object): Array<[string, unknown]> {
  if (Array.isArray(value)) return value.map((item) => ['', item]);
  return isRecord(value) ? Object.keys(value).map((key) => [key, own(value, key)]) : [];
}

/** What a value takes as compact JSON, in bytes, escapes aside; what is in it counts by itself. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length > MAX_BYTES ? value.length : Buffer.byteLength(value) + 2;
  if (Array.isArray(value)) return 2 + Math.max(0, value.length - 1);
  if (!isRecord(value)) return String(value).length;
  const keys = Object.keys(value);
  const quotesAndColon = 3;
  return keys.reduce((bytes, key) => bytes + Buffer.byteLength(key) + quotesAndColon, 2 + Math.max(0, keys.length - 1));
}
