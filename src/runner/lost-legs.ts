import type { Leg } from '../domain/ports/store.ts';
import type { RunnerParts } from './context.ts';
import { endRun } from './end-run.ts';
import { runLogger } from './run-logger.ts';

const BATCH = 200;

/**
 * Silence after which a leg's process counts as gone. Longer than any stall of a busy process, short enough that an
 * orphaned status message is put right within a minute of a restart (contract C33).
 */
const LEG_STALE_MS = 20_000;

/** A request that itself ends each process that takes it must not come back for ever. */
const MAX_EPOCH_TO_REQUEUE = 5;

/** Sees to the legs whose process has gone silent. */
export async function closeLostLegs(deps: RunnerParts): Promise<void> {
  for (const leg of await deps.store.runs.lostLegs(LEG_STALE_MS, BATCH)) await closeLostLeg(deps, leg);
}

/** Ends all legs and leases there are, and adds the jobs of what is queued: none of them can be alive. */
export async function takeOverLegs(deps: RunnerParts): Promise<void> {
  await deps.store.outbox.releaseAll();
  for (let left = BATCH; left === BATCH; ) {
    const legs = await deps.store.runs.lostLegs(0, BATCH);
    for (const leg of legs) await closeLostLeg(deps, leg);
    left = legs.length;
  }
  // The first of them may have had a job in hand; further ones are found by the sweep if they lost theirs.
  for (const runId of await deps.store.runs.needingJob(0, BATCH)) await deps.enqueuer.addById(runId);
}

/**
 * Sees to a run whose process went silent. One whose request had not left goes back to the queue; all others end, as
 * nothing is sent again by itself (contract C28, C29).
 */
async function closeLostLeg(deps: RunnerParts, leg: Leg): Promise<void> {
  // Ours, and silent only because the database was away.
  if (deps.liveLegs.has(leg.runId)) return;
  const run = await deps.store.runs.get(leg.runId);
  if (!run) return;
  if (leg.epoch <= MAX_EPOCH_TO_REQUEUE && (await deps.store.runs.releaseLeg(leg))) {
    return deps.enqueuer.addById(leg.runId);
  }
  const lost = { state: 'interrupted', failure: 'process_lost' } as const;
  const logger = runLogger(deps.logger, run);
  await endRun({ ...deps, logger }, leg, run.stopRequestedBy === null ? lost : { state: 'stopped' });
}
