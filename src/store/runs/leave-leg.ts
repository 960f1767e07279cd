import { sql } from 'kysely';
import type { AuditEntry } from '../../domain/audit.ts';
import { cardOperation, runMessage, statusOperation } from '../../domain/outbox.ts';
import type { Pause } from '../../domain/pause.ts';
import type { Leg, NewPause, PausedLeg } from '../../domain/ports/store.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { type Db, NOW, type Trx, transact } from '../database.ts';
import { toJson } from '../json.ts';
import { decline, openEntry } from '../ledger/ledger-moves.ts';
import { settlePayments } from '../ledger/run-payments.ts';
import { addMessages, touchMessages } from '../owed.ts';
import { recordDecision } from '../pauses/record-decision.ts';
import { type LockedRun, lockRun } from '../threads.ts';
import { closeLeg, holdsLeg } from './end-run.ts';

/** The ways to leave a leg without ending the run. Both refuse when a stop was asked for: the run shall end instead. */

/** Opens a pause with its card owed, a payment's with its entry in the ledger. */
export function pauseLeg(db: Db, leg: Leg, paused: PausedLeg): Promise<boolean> {
  return transact(db, async (trx) => {
    const run = await lockRun(trx, leg.runId);
    if (!holdsLeg(run, leg) || run.stopRequestedBy !== null) return false;
    await closeLeg(trx, leg, 'now()');
    await insertPause(trx, leg, paused.pause);
    await trx
      .updateTable('runs')
      .set({
        state: 'paused',
        plan: toJson(paused.plan),
        turns: sql<string>`turns || ${toJson(paused.turns)}::jsonb`,
      })
      .where('id', '=', run.id)
      .execute();
    const card = { operationId: cardOperation(paused.pause.id), kind: 'card', pauseId: paused.pause.id } as const;
    await addMessages(trx, [runMessage(run, card)]);
    await touchMessages(trx, [statusOperation(run.id)]);
    const settled = await settlePayments(trx, { runId: run.id, at: paused.pause.openedAt });
    await enterPayment(trx, run, paused);
    await appendAudit(trx, [...settled, openedEntry(run, paused.pause)]);
    if (paused.declined) await declineAtOnce(trx, leg, { pause: paused.pause, declined: paused.declined });
    return true;
  });
}

async function enterPayment(trx: Trx, run: LockedRun, { pause, approversNeeded = 1 }: PausedLeg): Promise<void> {
  if (pause.request.kind !== 'payment') return;
  const { requester_id: requesterId } = await trx
    .selectFrom('runs')
    .select('requester_id')
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow();
  await openEntry(trx, {
    pauseId: pause.id,
    runId: run.id,
    teamId: run.thread.teamId,
    channelId: run.thread.channelId,
    requesterId,
    terms: pause.request.terms,
    termsDigest: pause.termsDigest,
    approversNeeded,
    requestedAt: pause.openedAt,
  });
}

function openedEntry(run: LockedRun, pause: NewPause): AuditEntry {
  const { request, termsDigest, deadlineAt } = pause;
  const details = { request, termsDigest, deadlineAt: deadlineAt.toISOString() };
  return { kind: 'pause_opened', runId: run.id, pauseId: pause.id, actorId: null, reason: request.kind, details };
}

/** The policy's refusal needs no person: the run goes on with it. */
async function declineAtOnce(
  trx: Trx,
  leg: Leg,
  { pause, declined }: { pause: NewPause; declined: NonNullable<PausedLeg['declined']> },
): Promise<void> {
  await decline(trx, { pauseId: pause.id, at: pause.openedAt });
  const open: Pause = {
    ...pause,
    ...leg,
    state: 'open',
    decision: null,
    decidedBy: null,
    decidedAt: null,
  };
  await recordDecision(trx, open, { ...declined, actorId: null, at: pause.openedAt });
}

/** Puts a leg whose request has not left back to `queued`. */
export function releaseLeg(db: Db, leg: Leg): Promise<boolean> {
  return transact(db, async (trx) => {
    const run = await lockRun(trx, leg.runId);
    if (!holdsLeg(run, leg) || run.stopRequestedBy !== null || (await wasSent(trx, leg))) return false;
    await closeLeg(trx, leg, 'now()');
    await trx
      .updateTable('runs')
      .set({ state: 'queued', queued_at: NOW, enqueued_at: null })
      .where('id', '=', run.id)
      .execute();
    await touchMessages(trx, [statusOperation(run.id)]);
    return true;
  });
}

async function wasSent(trx: Trx, leg: Leg): Promise<boolean> {
  const row = await trx
    .selectFrom('legs')
    .select('sent_at')
    .where('run_id', '=', leg.runId)
    .where('epoch', '=', leg.epoch)
    .executeTakeFirstOrThrow();
  return row.sent_at !== null;
}

async function insertPause(trx: Trx, leg: Leg, pause: NewPause): Promise<void> {
  await trx
    .insertInto('pauses')
    .values({
      id: pause.id,
      run_id: leg.runId,
      epoch: leg.epoch,
      request: toJson(pause.request),
      terms_digest: pause.termsDigest,
      state: 'open',
      opened_at: pause.openedAt,
      deadline_at: pause.deadlineAt,
      decided_by: null,
    })
    .execute();
}
