import type { Pause } from '../../domain/pause.ts';
import type { PauseVerdict } from '../../domain/ports/store.ts';
import type { Trx } from '../database.ts';
import { type LockedRun, lockRun } from '../threads.ts';
import { readPause } from './read-pause.ts';

/** A pause that may be decided now: from here on nobody else can change it or its run. */
export type OpenPause = { kind: 'open'; pause: Pause; run: LockedRun };

/** Locks a pause's run, and says whether a decision on these terms (null: whatever they are) can still be taken. */
export async function lockOpenPause(
  trx: Trx,
  where: { pauseId: string; termsDigest: string | null; at: Date },
): Promise<OpenPause | Exclude<PauseVerdict, { kind: 'decided' }>> {
  const seen = await readPause(trx, where.pauseId);
  if (!seen) return { kind: 'unknown' };
  const run = await lockRun(trx, seen.runId);
  // Read again under the run's lock.
  const pause = await readPause(trx, where.pauseId);
  if (!run || !pause) return { kind: 'unknown' };
  if (pause.state !== 'open' || pause.deadlineAt <= where.at) return { kind: 'not-open', pause };
  if (where.termsDigest !== null && where.termsDigest !== pause.termsDigest) return { kind: 'terms-changed', pause };
  return { kind: 'open', pause, run };
}
