import { sql } from 'kysely';
import { cardOperation, runMessage, statusOperation } from '../../domain/outbox.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Leg, NewPause } from '../../domain/ports/store.ts';
import type { Turn } from '../../domain/turn.ts';
import { type Db, NOW, type Trx, transact } from '../database.ts';
import { toJson } from '../json.ts';
import { addMessages, touchMessages } from '../owed.ts';
import { lockRun } from '../threads.ts';
import { closeLeg, holdsLeg } from './end-run.ts';

/** The ways to leave a leg without ending the run. Both refuse when a stop was asked for: the run shall end instead. */

/** Opens a pause with its card owed. */
export function pauseLeg(db: Db, leg: Leg, paused: { pause: NewPause; plan: Plan; turns: Turn[] }): Promise<boolean> {
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
    return true;
  });
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
