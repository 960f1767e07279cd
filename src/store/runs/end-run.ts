import { sql } from 'kysely';
import type { AuditEntry } from '../../domain/audit.ts';
import { pauseOperations, statusOperation } from '../../domain/outbox.ts';
import type { EndResult, Leg, RunEnd } from '../../domain/ports/store.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { type Db, NOW, type Trx, transact } from '../database.ts';
import { toJson, toText } from '../json.ts';
import { expire as expirePayment } from '../ledger/ledger-moves.ts';
import { losePayments, settlePayments } from '../ledger/run-payments.ts';
import { addMessages, touchMessages } from '../owed.ts';
import { latestCard } from '../pauses/read-pause.ts';
import { type LockedRun, lockRun, promoteNext } from '../threads.ts';
import { legMs } from './leg-writes.ts';

/** Whether a leg may still write to its run. */
export function holdsLeg(run: LockedRun | null, leg: Leg): run is LockedRun {
  return run?.state === 'running' && run.epoch === leg.epoch;
}

/** Ends a leg's run, if the leg still holds it. */
export function endLeg(db: Db, leg: Leg, end: RunEnd): Promise<EndResult> {
  return transact(db, async (trx) => {
    const run = await lockRun(trx, leg.runId);
    if (!holdsLeg(run, leg)) return { ended: false, promotedRunId: null };
    await closeLeg(trx, leg, end.state === 'interrupted' ? 'l.beat_at' : 'now()');
    await addMessages(trx, end.messages ?? []);
    const noted = end.state === 'completed' ? await settlePayments(trx, { runId: run.id, at: new Date() }) : [];
    return { ended: true, promotedRunId: await endRun(trx, run, end, noted) };
  });
}

/**
 * Ends a leg and adds its time to the run's. A leg that was interrupted may have been dead for long: it counts until
 * its last beat.
 */
export async function closeLeg(trx: Trx, leg: Leg, until: 'now()' | 'l.beat_at'): Promise<void> {
  await sql`
    with ended as (
      update steward.legs l set ended_at = now() where l.run_id = ${leg.runId} and l.epoch = ${leg.epoch}
      returning l.run_id, ${legMs(until)} as ms
    )
    update steward.runs r set active_ms = r.active_ms + ended.ms from ended where r.id = ended.run_id`.execute(trx);
}

/** What an end changes in the run's row. */
type Ending = Pick<RunEnd, 'state' | 'failure' | 'plan' | 'answer'> & { stopRequestedBy?: string };

/**
 * Ends a locked run and frees its thread; the id of the run that is current there now, if another one became it. A
 * payment that was not settled before is `unknown` from here on. Comes last in its transaction: it adds to the audit
 * trail, with what was `noted` before.
 */
export async function endRun(
  trx: Trx,
  run: LockedRun,
  ending: Ending,
  noted: readonly AuditEntry[],
): Promise<string | null> {
  await trx
    .updateTable('runs')
    .set({
      state: ending.state,
      is_current: false,
      ended_at: NOW,
      ...(ending.failure && { failure: ending.failure }),
      ...(ending.plan && { plan: toJson(ending.plan) }),
      ...(ending.answer !== undefined && { answer: toText(ending.answer) }),
      ...(ending.stopRequestedBy !== undefined && { stop_requested_by: ending.stopRequestedBy }),
    })
    .where('id', '=', run.id)
    .execute();
  await touchMessages(trx, [statusOperation(run.id), ...(await cardsToTell(trx, run.id, ending))]);
  const lost = await losePayments(trx, { runId: run.id, at: new Date() });
  const [promoted] = await promoteNext(trx, [run.thread]);
  await appendAudit(trx, [...noted, ...lost, endedEntry(run, ending)]);
  return promoted ?? null;
}

function endedEntry(run: LockedRun, ending: Ending): AuditEntry {
  const { state, failure } = ending;
  const actorId = state === 'stopped' ? (ending.stopRequestedBy ?? run.stopRequestedBy) : null;
  return { kind: 'run_ended', runId: run.id, pauseId: null, actorId, reason: failure ? `${state}: ${failure}` : state };
}

/** The card whose decision came to nothing: it says so. */
async function cardsToTell(trx: Trx, runId: string, { state }: Ending): Promise<string[]> {
  if (state !== 'failed' && state !== 'interrupted') return [];
  return latestCard(trx, runId);
}

/**
 * Stops a locked run on which nobody works: queued, or paused with its pause cancelled. A payment that was asked for
 * is over with it; one that was approved has not been told to the planner, and never will be.
 */
export async function stopIdleRun(trx: Trx, run: LockedRun, actorId: string): Promise<string | null> {
  const cancelled = await trx
    .updateTable('pauses')
    .set({ state: 'cancelled' })
    .where('run_id', '=', run.id)
    .where('state', '=', 'open')
    .returning('id')
    .execute();
  await touchMessages(
    trx,
    cancelled.flatMap((pause) => pauseOperations(pause.id)),
  );
  const at = new Date();
  for (const { id: pauseId } of cancelled) await expirePayment(trx, { pauseId, at });
  return endRun(trx, run, { state: 'stopped', stopRequestedBy: actorId }, []);
}
