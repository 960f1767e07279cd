import type { ApproversNeeded, LedgerEntry, PaymentOption } from '../../domain/payment.ts';
import type { Trx } from '../database.ts';
import { getEntry } from './ledger-moves.ts';

/** Amounts that can be summed as they stand; long enough for any currency, short enough to be read. */
const PLAIN_DECIMAL = /^\d{1,64}(\.\d{1,64})?$/;

/**
 * What an approval came to, with the entry as it stands now.
 *
 * - `approved`: the last approval that was needed; the payment may be told to the planner.
 * - `recorded`: one of two, the other person is still needed.
 * - `approved-before`: this person has approved already and cannot be the second one too.
 * - `other-option`: the first person approved another option; two approve one thing or nothing.
 * - `terms-changed`: approved on other terms than the entry's (contract C23).
 * - `not-payable`: there is no such option, or its amount is no plain decimal.
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
  at: Date;
};

/** Records a person's approval, and moves the entry to `approved` once enough different people have approved. */
export async function approve(trx: Trx, approval: Approval): Promise<ApprovalOutcome> {
  const entry = await lockEntry(trx, approval.pauseId);
  if (!entry) return { kind: 'no-entry' };
  const option = entry.terms.options[approval.optionIndex];
  const obstacle = findObstacle(entry, approval);
  if (obstacle) return { kind: obstacle, entry };
  if (!option || !PLAIN_DECIMAL.test(option.amount)) return { kind: 'not-payable', entry };
  return recordApproval(trx, { entry, approval, option });
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
  recorded: { entry: LedgerEntry; approval: Approval; option: PaymentOption },
): Promise<ApprovalOutcome> {
  const { entry, approval, option } = recorded;
  const { pauseId, approverId, at } = approval;
  await trx.insertInto('approvals').values({ pause_id: pauseId, approver_id: approverId, approved_at: at }).execute();
  const approversNeeded = entry.approversNeeded === 2 ? 2 : approval.approversNeeded;
  const isEnough = entry.approverIds.length + 1 >= approversNeeded;
  await trx
    .updateTable('ledger')
    .set({
      approvers_needed: approversNeeded,
      option_index: approval.optionIndex,
      amount: option.amount,
      currency: currencyKey(option.currency),
      ...(isEnough && { state: 'approved' as const, approved_at: at }),
    })
    .where('pause_id', '=', pauseId)
    .execute();
  const kind = isEnough ? 'approved' : 'recorded';
  const approverIds = [...entry.approverIds, approverId];
  const approved = isEnough ? { state: 'approved' as const, approvedAt: at } : {};
  return {
    kind,
    entry: { ...entry, ...approved, approverIds, approversNeeded, optionIndex: approval.optionIndex },
  };
}

/** One currency under one key, however agents spell it. */
function currencyKey(currency: string): string {
  return currency.trim().toUpperCase();
}
