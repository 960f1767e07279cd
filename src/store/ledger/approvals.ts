import { currencyKey, isPlainAmount } from '../../domain/money.ts';
import type { ApproversNeeded, LedgerEntry } from '../../domain/payment.ts';
import type { Trx } from '../database.ts';
import { getEntry } from './ledger-moves.ts';

/**
 * What an approval came to, with the entry as it stands now.
 *
 * - `approved`: the last approval that was needed; the payment may be told to the planner.
 * - `recorded`: one of two, the other person is still needed.
 * - `approved-before`: this person has approved already and cannot be the second one too.
 * - `other-option`: the first person approved another option; two approve one thing or nothing.
 * - `terms-changed`: approved on other terms than the entry's (contract C23).
 * - `not-payable`: there is no such option, or its amount and currency are not plain, so that they cannot be summed.
 * - `not-requested`: it was decided, or ended, before.
 * - `no-entry`: the pause asks for no payment.
 */
export type ApprovalOutcome =
  | {
      kind:
        | 'approved'
        | 'recorded'
        | 'approved-before'
        | 'other-option'
        | 'terms-changed'
        | 'not-payable'
        | 'not-requested';
      entry: LedgerEntry;
    }
  | { kind: 'no-entry' };

export type Approval = {
  pauseId: string;
  approverId: string;
  optionIndex: number;
  /** What the approver saw. */
  termsDigest: string;
  /** What the policy says now. An entry keeps the strictest demand it ever met. */
  approversNeeded: ApproversNeeded;
  policyDigest: string;
  at: Date;
};

/** Records a person's approval, and moves the entry to `approved` once enough different people have approved. */
export async function approve(trx: Trx, approval: Approval): Promise<ApprovalOutcome> {
  const entry = await lockEntry(trx, approval.pauseId);
  if (!entry) return { kind: 'no-entry' };
  const obstacle = findObstacle(entry, approval);
  if (obstacle) return { kind: obstacle, entry };
  const money = moneyOf(entry, approval.optionIndex);
  if (!money) return { kind: 'not-payable', entry };
  return recordApproval(trx, { entry, approval, money });
}

/** An option's amount, and its currency under the one key that it is summed by, however agents spell it. */
function moneyOf({ terms }: LedgerEntry, optionIndex: number): { amount: string; currency: string } | null {
  const option = terms.options[optionIndex];
  const currency = option ? currencyKey(option.currency) : null;
  return option && currency !== null && isPlainAmount(option.amount) ? { amount: option.amount, currency } : null;
}

/** Holds the entry until the transaction ends. Read after the lock is had, so that nobody's approval is missed. */
async function lockEntry(trx: Trx, pauseId: string): Promise<LedgerEntry | null> {
  await trx.selectFrom('ledger').select('pause_id').where('pause_id', '=', pauseId).forUpdate().execute();
  return getEntry(trx, pauseId);
}

function findObstacle(entry: LedgerEntry, approval: Approval) {
  if (entry.state !== 'requested') return 'not-requested';
  if (entry.termsDigest !== approval.termsDigest) return 'terms-changed';
  if (entry.approverIds.includes(approval.approverId)) return 'approved-before';
  if (entry.optionIndex !== null && entry.optionIndex !== approval.optionIndex) return 'other-option';
  return null;
}

async function recordApproval(
  trx: Trx,
  recorded: { entry: LedgerEntry; approval: Approval; money: { amount: string; currency: string } },
): Promise<ApprovalOutcome> {
  const { entry, approval, money } = recorded;
  const { pauseId, approverId, at, policyDigest } = approval;
  await trx.insertInto('approvals').values({ pause_id: pauseId, approver_id: approverId, approved_at: at }).execute();
  const approversNeeded = entry.approversNeeded === 2 ? 2 : approval.approversNeeded;
  const isEnough = entry.approverIds.length + 1 >= approversNeeded;
  await trx
    .updateTable('ledger')
    .set({
      approvers_needed: approversNeeded,
      option_index: approval.optionIndex,
      ...money,
      allowed_at: at,
      policy_digest: policyDigest,
      ...(isEnough && { state: 'approved' as const, approved_at: at }),
    })
    .where('pause_id', '=', pauseId)
    .execute();
  const kind = isEnough ? 'approved' : 'recorded';
  const approverIds = [...entry.approverIds, approverId];
  const approved = isEnough ? { state: 'approved' as const, approvedAt: at } : {};
  const allowed = { allowedAt: at, policyDigest };
  return {
    kind,
    entry: { ...entry, ...approved, ...allowed, approverIds, approversNeeded, optionIndex: approval.optionIndex },
  };
}
