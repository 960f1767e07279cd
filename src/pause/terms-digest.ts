import { createHash } from 'node:crypto';
import type { PauseRequest } from '../domain/pause.ts';

/**
 * A digest of what a person is asked, to tell whether it changed between display and decision (contract C23): SHA-256
 * in hex of the request as JSON with its keys in order, so that equal terms have equal digests after any store.
 */
export function termsDigest(request: PauseRequest): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, nested: unknown) =>
    typeof nested === 'object' && nested !== null && !Array.isArray(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)))
      : nested,
  );
}
