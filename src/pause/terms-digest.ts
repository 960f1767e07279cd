import { createHash } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json.ts';
import type { PauseRequest } from '../domain/pause.ts';

/**
 * A digest of what a person is asked, to tell whether it changed between display and decision (contract C23): SHA-256
 * in hex of the request as JSON with its keys in order, so that equal terms have equal digests after any store.
 */
export function termsDigest(request: PauseRequest): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}
