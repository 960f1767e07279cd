import type { LedgerEntry } from '../../domain/payment.ts';
import type { NotTold, Telling } from '../../domain/ports/approval-judge.ts';
import type { Trx } from '../database.ts';
import { latestPauseId } from '../pauses/read-pause.ts';
import { entriesOf } from './ledger-moves.ts';
import { lockSpending, spentToday } from './spending.ts';

/** `nothing`: the run has no approval that the planner may still have to hear. */
export type TellingVerdict = NotTold | { kind: 'allowed'; policyDigest: string } | { kind: 'nothing' };

/**
 * Asks whether the approval that a locked run goes out with may be told, and notes that it may. The sums are read and
 * the judge is asked under the lock that approvals are recorded under. Where it may not, nothing is changed.
 */
export async function judgeTelling(trx: Trx, runId: string, telling: Telling): Promise<TellingVerdict> {
  const entry = await approvalToTell(trx, runId);
  if (!entry) return { kind: 'nothing' };
  await lockSpending(trx, entry.teamId);
  const judgement = telling.judge({
    entry,
    spentToday: await spentToday(trx, { ...entry, dayStart: telling.dayStart }),
  });
  if (judgement.kind !== 'allowed') return { ...judgement, entry };
  const { policyDigest } = judgement;
  await trx
    .updateTable('ledger')
    .set({ allowed_at: telling.at, policy_digest: policyDigest })
    .where('pause_id', '=', entry.pauseId)
    .execute();
  return { kind: 'allowed', policyDigest };
}

/**
 * The approval that the planner has not heard, or, where the run's last word is one, may not have heard. One after which
 * the plan went on was heard.
 */
async function approvalToTell(trx: Trx, runId: string): Promise<LedgerEntry | undefined> {
  const open = (await entriesOf(trx, runId)).filter(({ state }) => state === 'approved' || state === 'unknown');
  if (open.length === 0) return undefined;
  const lastId = await latestPauseId(trx, runId);
  return open.findLast(({ sentAt, pauseId }) => sentAt === null || pauseId === lastId);
}
