import type { LedgerEntry, LedgerState } from '../../domain/payment.ts';
import type { ApprovalRecheck, ApprovalWithheld, PeopleUnknown } from '../../domain/ports/approval-judge.ts';
import type { Trx } from '../database.ts';
import { latestPauseId } from '../pauses/read-pause.ts';
import { entriesOf } from './ledger-moves.ts';
import { lockSpending, spentToday } from './spending.ts';

/** `none`: the run has no approval that the planner may still have to hear. */
export type RecheckVerdict =
  | { kind: 'none' }
  | { kind: 'allowed'; policyDigest: string }
  | ApprovalWithheld
  | PeopleUnknown;

/** Whether the planner may not hear the approval, or not yet. */
export function isHeldBack(verdict: RecheckVerdict): verdict is ApprovalWithheld | PeopleUnknown {
  return verdict.kind === 'withheld' || verdict.kind === 'people-unknown';
}

/** Where an approval stands before its leg leaves. */
export const UNTOLD: readonly LedgerState[] = ['approved', 'unknown'];
/** Where it stands once its leg has left, until the planner is seen to have heard it. */
export const UNHEARD: readonly LedgerState[] = ['sent', 'unknown'];

/**
 * Asks once more about the approval that a locked run goes out with, under the lock that approvals are recorded under,
 * and notes on its entry when and by which policy it was allowed. Where it was not, nothing is changed.
 */
export async function recheckApproval(
  trx: Trx,
  runId: string,
  recheck: ApprovalRecheck & { states: readonly LedgerState[] },
): Promise<RecheckVerdict> {
  const entry = await approvalToTell(trx, runId, recheck.states);
  if (!entry) return { kind: 'none' };
  await lockSpending(trx, entry.teamId);
  const spent = await spentToday(trx, { ...entry, dayStart: recheck.dayStart });
  const judgement = recheck.judge({ entry, spentToday: spent });
  if (judgement.kind !== 'allowed') return { ...judgement, entry };
  await trx
    .updateTable('ledger')
    .set({ allowed_at: recheck.at, policy_digest: judgement.policyDigest })
    .where('pause_id', '=', entry.pauseId)
    .execute();
  return judgement;
}

/**
 * The approval that the planner was not told of, or was told of last and may not have heard: it heard each one after
 * which the run asked for something else, or the plan went on.
 */
async function approvalToTell(
  trx: Trx,
  runId: string,
  states: readonly LedgerState[],
): Promise<LedgerEntry | undefined> {
  const open = (await entriesOf(trx, runId)).filter(({ state }) => states.includes(state));
  if (open.length === 0) return undefined;
  const lastId = await latestPauseId(trx, runId);
  return open.findLast(({ sentAt, pauseId }) => sentAt === null || pauseId === lastId);
}
