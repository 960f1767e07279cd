import type { AuditEntry } from '../../domain/audit.ts';
import { statusOperation } from '../../domain/outbox.ts';
import type { NewRun, RunStore } from '../../domain/ports/store.ts';
import { isLive, isResumable, type Run, type RunChoice, type RunState } from '../../domain/run.ts';
import type { Turn } from '../../domain/turn.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { type Db, NOW, type Trx, transact } from '../database.ts';
import { toJson } from '../json.ts';
import { entriesOf } from '../ledger/ledger-moves.ts';
import { isHeldBack, recheckApproval, UNTOLD } from '../ledger/recheck-approval.ts';
import { touchMessages } from '../owed.ts';
import { latestCard, latestPauseId } from '../pauses/read-pause.ts';
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

export function resumeRun(
  db: Db,
  runId: string,
  resuming: Parameters<RunStore['resume']>[1],
): ReturnType<RunStore['resume']> {
  return transact(db, async (trx) => {
    const run = await lockRun(trx, runId);
    const ended = run && (await readRun(trx, runId));
    if (!run || !ended || run.isChosen || !isResumable(ended)) return { kind: 'over' };
    const rechecked = await recheckApproval(trx, runId, { ...resuming, states: UNTOLD });
    if (isHeldBack(rechecked)) return rechecked;
    await trx
      .updateTable('runs')
      .set({
        state: 'queued',
        queued_at: NOW,
        enqueued_at: null,
        ended_at: null,
        failure: null,
        stop_requested_by: null,
        turns: toJson(await turnsToResumeWith(trx, ended, resuming.retell)),
      })
      .where('id', '=', runId)
      .execute();
    await promoteNext(trx, [run.thread]);
    await touchButtons(trx, run);
    const { actorId } = resuming;
    await appendAudit(trx, [{ kind: 'resumed', runId, pauseId: null, actorId, reason: 'somebody pressed Resume' }]);
    return { kind: 'resumed', run: await readRun(trx, runId) };
  });
}

/** The run's turns, the last of them told anew if it is an approval that was, or may have been, heard already. */
async function turnsToResumeWith(trx: Trx, run: Run, retell: (approval: Turn) => Turn): Promise<Turn[]> {
  const last = run.turns.at(-1);
  const entry = (await entriesOf(trx, run.id)).at(-1);
  if (last?.role !== 'user' || !entry || entry.sentAt === null) return run.turns;
  const isItsDecision = (await latestPauseId(trx, run.id)) === entry.pauseId;
  return isItsDecision ? [...run.turns.slice(0, -1), retell(last)] : run.turns;
}

/** The ended runs that each choice is offered for. */
const OFFERED_IN: Record<RunChoice['action'], readonly RunState[]> = {
  start_over: ['interrupted', 'failed', 'expired'],
  close: ['interrupted', 'failed'],
};

export function chooseForRun(
  db: Db,
  runId: string,
  { choice, successor }: { choice: RunChoice; successor: NewRun | undefined },
): ReturnType<RunStore['choose']> {
  return transact(db, async (trx) => {
    const run = await lockRun(trx, runId);
    if (!run || run.isChosen || !OFFERED_IN[choice.action].includes(run.state)) return null;
    await trx
      .updateTable('runs')
      .set({ choice: toJson(choice), ...(choice.action === 'close' && { state: 'stopped' as const }) })
      .where('id', '=', runId)
      .execute();
    await touchButtons(trx, run);
    const [admitted] = successor ? await admitInto(trx, [successor]) : [];
    await appendAudit(trx, [chosenEntry(runId, choice, admitted?.run.id)]);
    return { run: await readRun(trx, runId), successor: admitted?.run ?? null };
  });
}

function chosenEntry(runId: string, { action, actorId }: RunChoice, successorId: string | undefined): AuditEntry {
  const about = { runId, pauseId: null, actorId };
  if (action === 'close') return { kind: 'closed', ...about, reason: 'somebody pressed Close' };
  return {
    kind: 'started_over',
    ...about,
    reason: 'somebody pressed Start over',
    ...(successorId !== undefined && { details: { successorId } }),
  };
}

/** An ended run has its buttons in the status message, and in its last card if that expired. */
async function touchButtons(trx: Trx, run: LockedRun): Promise<void> {
  await touchMessages(trx, [statusOperation(run.id), ...(await latestCard(trx, run.id))]);
}

async function readRun(trx: Trx, runId: string): Promise<Run> {
  return toRun(await trx.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow());
}
