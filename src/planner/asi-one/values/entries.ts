import { isRecord, type JsonRecord, own } from './json-record.ts';
import { isSafeKey } from './received-text.ts';

/** The objects in a map or array, with their keys; anything else in it is left out, and so are prototype keys. */
export function* entries(value: unknown): Generator<[string, JsonRecord]> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (!isSafeKey(key)) continue;
    const entry = own(value as JsonRecord, key);
    if (isRecord(entry)) yield [key, entry];
  }
}
