import { sql } from 'kysely';
import type { AuditEntry } from '../../domain/audit.ts';
import type { Leg } from '../../domain/ports/store.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { type Db, type Trx, transact } from '../database.ts';
import { settlePayments, tellPayments } from '../ledger/run-payments.ts';
import { lockRun } from '../threads.ts';
import { holdsLeg } from './end-run.ts';

/** What is written down before a leg's request leaves, and when the plan is seen to go on after it. */

export function markSent(db: Db, leg: Leg, isClaimed: boolean): Promise<boolean> {
  return transact(db, async (trx) => {
    // The run is locked first: whoever takes the leg for lost at this moment sees it sent, or it is not sent any more.
    const { rows } = await sql<{ requesterId: string; isFirst: boolean }>`
      with held as (
        select id, requester_id from steward.runs
        where id = ${leg.runId} and epoch = ${leg.epoch} and state = 'running' for update
      )
      update steward.legs l set sent_at = now(), beat_at = now() from held
      where l.run_id = held.id and l.epoch = ${leg.epoch}
      returning held.requester_id as "requesterId", not exists (select from steward.legs earlier
        where earlier.run_id = l.run_id and earlier.epoch < l.epoch and earlier.sent_at is not null) as "isFirst"`.execute(
      trx,
    );
    const [sent] = rows;
    if (!sent) return false;
    await tellPayments(trx, { runId: leg.runId, at: new Date() });
    if (isClaimed) await appendAudit(trx, [startedEntry(leg, sent)]);
    return true;
  });
}

function startedEntry(leg: Leg, sent: { requesterId: string; isFirst: boolean }): AuditEntry {
  const about = { runId: leg.runId, pauseId: null, details: { leg: leg.epoch } };
  return sent.isFirst
    ? { ...about, kind: 'run_started', actorId: sent.requesterId, reason: 'the request goes to the planner' }
    : { ...about, kind: 'resumed', actorId: null, reason: 'what was said since goes to the planner' };
}

export function settleLeg(db: Db, leg: Leg): Promise<boolean> {
  return transact(db, async (trx: Trx) => {
    const run = await lockRun(trx, leg.runId);
    if (!holdsLeg(run, leg)) return false;
    const settled = await settlePayments(trx, { runId: run.id, at: new Date() });
    await appendAudit(trx, settled);
    return settled.length > 0;
  });
}
