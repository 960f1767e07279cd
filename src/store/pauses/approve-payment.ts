import { assertNever } from '../../domain/assert-never.ts';
import { cardOperation } from '../../domain/outbox.ts';
import type { Pause } from '../../domain/pause.ts';
import type { LedgerEntry } from '../../domain/payment.ts';
import type { ApprovalVerdict, PauseStore } from '../../domain/ports/store.ts';
import { appendAudit } from '../audit/audit-store.ts';
import type { Trx } from '../database.ts';
import { type ApprovalOutcome, approve } from '../ledger/approvals.ts';
import { getEntry } from '../ledger/ledger-moves.ts';
import { lockSpending, spentToday } from '../ledger/spending.ts';
import { touchMessages } from '../owed.ts';
import { lockOpenPause } from './locked-pause.ts';
import { recordDecision } from './record-decision.ts';

type ApproveInput = Parameters<PauseStore['approve']>[0];

/**
 * Approves a payment: sums are read, the judge is asked and the approval is recorded under one lock on the workspace's
 * spending, so that two approvals at once cannot both fit under one cap.
 */
export async function approvePayment(trx: Trx, input: ApproveInput): Promise<ApprovalVerdict> {
  const found = await lockOpenPause(trx, input);
  if (found.kind !== 'open') return found;
  const { pause, run } = found;
  await lockSpending(trx, run.thread.teamId);
  const entry = await getEntry(trx, pause.id);
  if (!entry) return { kind: 'unknown' };
  const spent = await spentToday(trx, { ...entry, dayStart: input.dayStart });
  const judgement = input.judge({ entry, spentToday: spent });
  if (!judgement.allowed) return { kind: 'refused', reason: judgement.reason };
  const { approversNeeded, policyDigest } = judgement;
  const outcome = await approve(trx, {
    pauseId: pause.id,
    approverId: input.actorId,
    optionIndex: input.optionIndex,
    termsDigest: input.termsDigest,
    approversNeeded,
    policyDigest,
    at: input.at,
  });
  return concludeApproval(trx, { pause, input, outcome, policyDigest });
}

type Approved = { pause: Pause; input: ApproveInput; outcome: ApprovalOutcome; policyDigest: string };

async function concludeApproval(trx: Trx, approved: Approved): Promise<ApprovalVerdict> {
  const { pause, input, outcome, policyDigest } = approved;
  switch (outcome.kind) {
    case 'approved': {
      const { turn, actorId, at, optionIndex } = input;
      const decision = { kind: 'payment', verdict: 'approve', optionIndex, reason: null } as const;
      return recordDecision(trx, pause, { decision, turn, actorId, at, policyDigest });
    }
    case 'recorded':
      await noteFirstApproval(trx, approved, outcome.entry);
      return { kind: 'one-more-needed', pause };
    case 'terms-changed':
      return { kind: 'terms-changed', pause };
    case 'no-entry':
      return { kind: 'unknown' };
    case 'not-requested':
      return { kind: 'not-open', pause };
    case 'approved-before':
    case 'other-option':
    case 'not-payable':
      return { kind: 'not-approvable', obstacle: outcome.kind };
    default:
      return assertNever(outcome);
  }
}

async function noteFirstApproval(
  trx: Trx,
  { pause, input, policyDigest }: Approved,
  entry: LedgerEntry,
): Promise<void> {
  await touchMessages(trx, [cardOperation(pause.id)]);
  const { optionIndex, actorId } = input;
  await appendAudit(trx, [
    {
      kind: 'approved',
      runId: pause.runId,
      pauseId: pause.id,
      actorId,
      reason: `${entry.approverIds.length} of ${entry.approversNeeded}`,
      details: { optionIndex, termsDigest: pause.termsDigest, policyDigest },
    },
  ]);
}
