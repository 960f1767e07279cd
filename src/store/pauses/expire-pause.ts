import { pauseOperations } from '../../domain/outbox.ts';
import type { PauseStore } from '../../domain/ports/store.ts';
import type { Trx } from '../database.ts';
import { expire as expirePayment } from '../ledger/ledger-moves.ts';
import { touchMessages } from '../owed.ts';
import { endRun } from '../runs/end-run.ts';
import { lockRun } from '../threads.ts';

/** Expires a run's open pause whose deadline has come, the payment that it asked for, and the run. */
export async function expirePause(trx: Trx, runId: string, now: Date): ReturnType<PauseStore['expire']> {
  const run = await lockRun(trx, runId);
  if (!run) return { expired: false, promotedRunId: null };
  const expired = await trx
    .updateTable('pauses')
    .set({ state: 'expired' })
    .where('run_id', '=', runId)
    .where('state', '=', 'open')
    .where('deadline_at', '<=', now)
    .returning('id')
    .executeTakeFirst();
  if (!expired) return { expired: false, promotedRunId: null };
  await expirePayment(trx, { pauseId: expired.id, at: now });
  await touchMessages(trx, pauseOperations(expired.id));
  const noted = {
    kind: 'expired',
    runId,
    pauseId: expired.id,
    actorId: null,
    reason: 'nobody decided in time',
  } as const;
  return { expired: true, promotedRunId: await endRun(trx, run, { state: 'expired' }, [noted]) };
}
