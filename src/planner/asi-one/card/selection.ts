import type { Selection } from '../../../domain/card.ts';
import { isRecord, own } from '../values/json-record.ts';
import { readJson } from '../values/json-text.ts';
import { dropSecrets, isSafeKey } from '../values/received-text.ts';

const MAX_KEYS = 50;
const MAX_KEY_CHARS = 200;
const MAX_VALUE_CHARS = 2_000;

/** A selection, and the names of what it could not take in. */
export type SelectionReading = { selection: Selection; dropped: string[] };

/** The scalars of a selection, under its own keys; whatever else is in it is dropped. Never throws. */
export function sanitiseSelection(value: unknown): Selection {
  return readSelection(value).selection;
}

/**
 * Reads what a choice sends back, as an object or as JSON text. A value that is long, nested or a number that lost
 * digits is dropped rather than changed: a changed identifier is another one. So is a secret, which would stand in the
 * audit trail and its exports.
 */
export function readSelection(value: unknown): SelectionReading {
  const record = readJson(value);
  if (!isRecord(record)) return { selection: {}, dropped: (value ?? null) === null ? [] : ['selection'] };
  const keys = Object.keys(record).filter((key) => own(record, key) !== null);
  const isKept = (key: string): boolean => {
    const value = own(record, key);
    return isUsableKey(key) && isExactScalar(value) && !isSecret(key, value);
  };
  const kept = keys.filter(isKept).slice(0, MAX_KEYS);
  const dropped = keys.filter((key) => !kept.includes(key));
  // `kept` holds only keys whose value `isExactScalar` let through.
  const selection = Object.fromEntries(kept.map((key) => [key, own(record, key)])) as Selection;
  return { selection, dropped: dropped.slice(0, MAX_KEYS) };
}

const SECRET_KEY = /client_?secret|private_?key|api_?key|password|access_?token/i;

function isSecret(key: string, value: string | number | boolean): boolean {
  if (typeof value !== 'string' || value === '') return false;
  return SECRET_KEY.test(key) || dropSecrets(value) !== value;
}

function isUsableKey(key: string): boolean {
  return isSafeKey(key) && key.length <= MAX_KEY_CHARS && isStorable(key);
}

function isExactScalar(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= MAX_VALUE_CHARS && isStorable(value);
  if (typeof value === 'number') return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value === 'boolean';
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair in JSON. */
function isStorable(text: string): boolean {
  return !/\0|\p{Cs}/u.test(text);
}
