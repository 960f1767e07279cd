import { sql } from 'kysely';
import type { AuditEntry } from '../../domain/audit.ts';
import type { ApprovalRecheck, ApprovalWithheld } from '../../domain/ports/approval-judge.ts';
import type { Leg, RunStore } from '../../domain/ports/store.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { type Db, type Trx, transact } from '../database.ts';
import { isHeldBack, type RecheckVerdict, recheckApproval, UNHEARD, UNTOLD } from '../ledger/recheck-approval.ts';
import { settlePayments, tellPayments } from '../ledger/run-payments.ts';
import { lockRun } from '../threads.ts';
import { holdsLeg } from './end-run.ts';

/** What is written down before a leg's request leaves, and when the plan is seen to go on after it. */

export function markSent(
  db: Db,
  leg: Leg,
  sending: ApprovalRecheck & { isClaimed: boolean },
): ReturnType<RunStore['markSent']> {
  return transact(db, async (trx) => {
    // The run is locked first: whoever takes the leg for lost at this moment sees it sent, or it is not sent any more.
    const requesterId = await lockHeldRun(trx, leg);
    if (requesterId === null) return { kind: 'lost' };
    // Before a run's first leg nothing was approved, and what a claimed leg told its further rounds do not tell anew.
    const mayTell = sending.isClaimed && leg.epoch > 1;
    const approval: RecheckVerdict = mayTell
      ? await recheckOfLeg(trx, leg, { ...sending, states: UNTOLD })
      : { kind: 'none' };
    if (isHeldBack(approval)) return approval;
    const isFirst = await markLegSent(trx, leg);
    if (approval.kind === 'allowed') await tellPayments(trx, { runId: leg.runId, at: sending.at });
    if (sending.isClaimed) await appendAudit(trx, [startedEntry(leg, { requesterId, isFirst, approval })]);
    return { kind: 'sent' };
  });
}

/** The planner has not taken the request that the approval was in, so that it has not heard it either. */
export function recheckSent(db: Db, leg: Leg, recheck: ApprovalRecheck): ReturnType<RunStore['recheckSent']> {
  return transact(db, async (trx) => {
    if ((await lockHeldRun(trx, leg)) === null) return { kind: 'lost' };
    const approval = await recheckOfLeg(trx, leg, { ...recheck, states: UNHEARD });
    return isHeldBack(approval) ? approval : { kind: 'sent' };
  });
}

/** Rechecks the approval that a leg carries; one that is withheld is noted in the audit trail. */
async function recheckOfLeg(
  trx: Trx,
  leg: Leg,
  recheck: Parameters<typeof recheckApproval>[2],
): Promise<RecheckVerdict> {
  const approval = await recheckApproval(trx, leg.runId, recheck);
  if (approval.kind === 'withheld') await appendAudit(trx, [withheldEntry(leg, approval)]);
  return approval;
}

/** Locks the leg's run, if the leg still holds it; answers who asked for it. */
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

/** Answers whether it is the first of its run's legs to leave. */
async function markLegSent(trx: Trx, leg: Leg): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean }>`
    update steward.legs l set sent_at = now(), beat_at = now() where l.run_id = ${leg.runId} and l.epoch = ${leg.epoch}
    returning not exists (select from steward.legs earlier
      where earlier.run_id = l.run_id and earlier.epoch < l.epoch and earlier.sent_at is not null) as "isFirst"`.execute(
    trx,
  );
  return rows[0]?.isFirst === true;
}

function startedEntry(leg: Leg, sent: { requesterId: string; isFirst: boolean; approval: RecheckVerdict }): AuditEntry {
  const allowedBy = sent.approval.kind === 'allowed' ? { policyDigest: sent.approval.policyDigest } : {};
  const about = { runId: leg.runId, pauseId: null, details: { leg: leg.epoch, ...allowedBy } };
  return sent.isFirst
    ? { ...about, kind: 'run_started', actorId: sent.requesterId, reason: 'the request goes to the planner' }
    : { ...about, kind: 'resumed', actorId: null, reason: 'what was said since goes to the planner' };
}

function withheldEntry(leg: Leg, { entry, reason }: ApprovalWithheld): AuditEntry {
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
