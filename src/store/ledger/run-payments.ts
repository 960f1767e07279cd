import type { AuditEntry } from '../../domain/audit.ts';
import { cardOperation } from '../../domain/outbox.ts';
import type { LedgerEntry } from '../../domain/payment.ts';
import type { Trx } from '../database.ts';
import { touchMessages } from '../owed.ts';
import { markSent, markUnknown, settle } from './ledger-moves.ts';

/**
 * What becomes of a run's payment as its legs go: each moves the entries, owes their cards, and answers what the audit
 * trail shall say, for the caller to add last in its transaction.
 */
type RunPayments = { runId: string; at: Date };

/** The approval leaves with the leg. */
export async function tellPayments(trx: Trx, run: RunPayments): Promise<void> {
  await showMoved(trx, await markSent(trx, run));
}

/** The plan has gone on past what it was told. */
export async function settlePayments(trx: Trx, run: RunPayments): Promise<AuditEntry[]> {
  const moved = await settle(trx, run);
  await showMoved(trx, moved);
  return moved.map((entry) => auditOf(entry, { kind: 'settled', reason: 'the plan went on' }));
}

/** The run ended before it was seen to go on: nobody here can know what was paid. */
export async function losePayments(trx: Trx, run: RunPayments): Promise<AuditEntry[]> {
  const moved = await markUnknown(trx, run);
  await showMoved(trx, moved);
  return moved.map((entry) => {
    const reason = entry.sentAt === null ? 'ended before the planner was told' : 'ended before the plan went on';
    return auditOf(entry, { kind: 'payment_unknown', reason });
  });
}

async function showMoved(trx: Trx, moved: readonly LedgerEntry[]): Promise<void> {
  if (moved.length === 0) return;
  await touchMessages(
    trx,
    moved.map(({ pauseId }) => cardOperation(pauseId)),
  );
}

function auditOf(entry: LedgerEntry, what: Pick<AuditEntry, 'kind' | 'reason'>): AuditEntry {
  const { pauseId, runId, approverIds, optionIndex, terms } = entry;
  const option = optionIndex === null ? null : terms.options[optionIndex];
  return { ...what, runId, pauseId, actorId: null, details: { approverIds, option } };
}
