import { sql } from 'kysely';
import type { AuditEntry } from '../../domain/audit.ts';
import type { NotTold, Telling } from '../../domain/ports/approval-judge.ts';
import type { Leg, RunStore } from '../../domain/ports/store.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { type Db, type Trx, transact } from '../database.ts';
import { judgeTelling, type TellingVerdict } from '../ledger/judge-telling.ts';
import { settlePayments, tellPayments } from '../ledger/run-payments.ts';
import { lockRun } from '../threads.ts';
import { holdsLeg } from './end-run.ts';

/** What is written down before a leg's request leaves, and when the plan is seen to go on after it. */

export function markSent(
  db: Db,
  leg: Leg,
  sending: Telling & { isClaimed: boolean },
): ReturnType<RunStore['markSent']> {
  return transact(db, async (trx) => {
    // The run is locked first: whoever takes the leg for lost at this moment sees it sent, or it is not sent any more.
    const requesterId = await lockHeldRun(trx, leg);
    if (requesterId === null) return { kind: 'lost' };
    // Before a run's first leg nothing was approved, and what a claimed leg told its further rounds do not tell anew.
    const mayTell = sending.isClaimed && leg.epoch > 1;
    const told: TellingVerdict = mayTell ? await judgeTelling(trx, leg.runId, sending) : { kind: 'nothing' };
    if (told.kind === 'withheld') await appendAudit(trx, [withheldEntry(told, leg)]);
    if (told.kind === 'withheld' || told.kind === 'people-unknown') return told;
    const isFirst = await noteSent(trx, leg);
    if (told.kind === 'allowed') await tellPayments(trx, { runId: leg.runId, at: sending.at });
    if (sending.isClaimed) await appendAudit(trx, [startedEntry(leg, { requesterId, isFirst, told })]);
    return { kind: 'sent' };
  });
}

/** Who asked for the run, if the leg still holds it. */
async function lockHeldRun(trx: Trx, leg: Leg): Promise<string | null> {
  const row = await trx
    .selectFrom('runs')
    .select('requester_id')
    .where('id', '=', leg.runId)
    .where('epoch', '=', leg.epoch)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst();
  return row?.requester_id ?? null;
}

/** Whether it is the run's first leg that leaves. */
async function noteSent(trx: Trx, leg: Leg): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean }>`
    update steward.legs l set sent_at = now(), beat_at = now() where l.run_id = ${leg.runId} and l.epoch = ${leg.epoch}
    returning not exists (select from steward.legs earlier
      where earlier.run_id = l.run_id and earlier.epoch < l.epoch and earlier.sent_at is not null) as "isFirst"`.execute(
    trx,
  );
  return rows[0]?.isFirst === true;
}

function startedEntry(leg: Leg, sent: { requesterId: string; isFirst: boolean; told: TellingVerdict }): AuditEntry {
  const { told } = sent;
  const allowed = told.kind === 'allowed' ? { policyDigest: told.policyDigest } : {};
  const about = { runId: leg.runId, pauseId: null, details: { leg: leg.epoch, ...allowed } };
  return sent.isFirst
    ? { ...about, kind: 'run_started', actorId: sent.requesterId, reason: 'the request goes to the planner' }
    : { ...about, kind: 'resumed', actorId: null, reason: 'what was said since goes to the planner' };
}

function withheldEntry({ entry, reason }: Extract<NotTold, { kind: 'withheld' }>, leg: Leg): AuditEntry {
  const { pauseId, runId, approverIds, optionIndex } = entry;
  const details = { leg: leg.epoch, approverIds, optionIndex };
  return { kind: 'approval_withheld', runId, pauseId, actorId: null, reason, details };
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
