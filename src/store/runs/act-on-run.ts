import { cardOperation, statusOperation } from '../../domain/outbox.ts';
import type { NewRun, RunStore } from '../../domain/ports/store.ts';
import { isLive, type Run, type RunState, type Settlement } from '../../domain/run.ts';
import { type Db, NOW, type Trx, transact } from '../database.ts';
import { toJson } from '../json.ts';
import { touchMessages } from '../owed.ts';
import { toRun } from '../rows/run-row.ts';
import { type LockedRun, lockRun, promoteNext } from '../threads.ts';
import { admitInto } from './admit-runs.ts';
import { stopIdleRun } from './end-run.ts';

/** What people do to a run from outside its leg. */

export function requestStop(db: Db, runId: string, actorId: string): ReturnType<RunStore['requestStop']> {
  return transact(db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (!run || !isLive(run.state)) return null;
    if (run.state !== 'running') {
      const promotedRunId = await stopIdleRun(trx, run, actorId);
      return { run: await readRun(trx, runId), ended: true, promotedRunId };
    }
    await trx
      .updateTable('runs')
      .set({ stop_requested_by: run.stopRequestedBy ?? actorId })
      .where('id', '=', runId)
      .execute();
    return { run: await readRun(trx, runId), ended: false, promotedRunId: null };
  });
}

/** Which ended runs each button stands under; of the failed ones, `isResumable` says which may go on. */
const SETTLED_FROM: Record<Settlement['action'], readonly RunState[]> = {
  resume: ['interrupted', 'failed'],
  start_over: ['interrupted', 'failed', 'expired', 'stopped'],
  close: ['interrupted', 'failed', 'expired', 'stopped'],
};

export function settleRun(
  db: Db,
  runId: string,
  settled: { settlement: Settlement; successor: NewRun | undefined },
): ReturnType<RunStore['settle']> {
  const { settlement, successor } = settled;
  return transact(db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (!run || run.isSettled || !SETTLED_FROM[settlement.action].includes(run.state)) return null;
    if (settlement.action === 'resume') await requeue(trx, run);
    else await recordSettlement(trx, run, settlement);
    await touchButtons(trx, run);
    const [admitted] = successor ? await admitInto(trx, [successor]) : [];
    return { run: await readRun(trx, runId), successor: admitted?.run ?? null };
  });
}

/** An ended run has its buttons in the status message, and in its last card if that expired. */
async function touchButtons(trx: Trx, run: LockedRun): Promise<void> {
  const last = await trx
    .selectFrom('pauses')
    .select('id')
    .where('run_id', '=', run.id)
    .orderBy('seq', 'desc')
    .limit(1)
    .execute();
  await touchMessages(trx, [statusOperation(run.id), ...last.map((pause) => cardOperation(pause.id))]);
}

/** Not recorded as a settlement, so that a second interruption has its buttons again. */
async function requeue(trx: Trx, run: LockedRun): Promise<void> {
  await trx
    .updateTable('runs')
    .set({ state: 'queued', queued_at: NOW, enqueued_at: null, ended_at: null, failure: null, stop_requested_by: null })
    .where('id', '=', run.id)
    .execute();
  await promoteNext(trx, [run.thread]);
}

async function recordSettlement(trx: Trx, run: LockedRun, settlement: Settlement): Promise<void> {
  await trx
    .updateTable('runs')
    .set({
      settlement: toJson(settlement),
      ...(settlement.action === 'close' && { state: 'stopped' as const }),
    })
    .where('id', '=', run.id)
    .execute();
}

async function readRun(trx: Trx, runId: string): Promise<Run> {
  return toRun(await trx.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow());
}
