import { z } from 'zod';
import type { LedgerEntry, PaymentTerms } from '../../domain/payment.ts';
import { readRow } from './read-row.ts';

/** An entry with how many different people it takes to approve it, as the strictest rule so far said. */
export type LedgerRecord = LedgerEntry & { approversNeeded: number };

const text = z.string().nullable();

const termsSchema: z.ZodType<PaymentTerms> = z.object({
  payeeName: text,
  payeeAddress: text,
  options: z.array(z.object({ amount: z.string(), currency: z.string(), method: z.string() })),
  description: text,
  reference: text,
  deadlineSeconds: z.number().nullable(),
  links: z.array(z.string()),
});

const ledgerRowSchema = z.object({
  pause_id: z.string(),
  run_id: z.string(),
  team_id: z.string(),
  channel_id: z.string(),
  requester_id: z.string(),
  terms: termsSchema,
  terms_digest: z.string(),
  state: z.enum(['requested', 'approved', 'sent', 'settled', 'declined', 'expired', 'unknown']),
  approvers_needed: z.number(),
  option_index: z.number().nullable(),
  requested_at: z.date(),
  approved_at: z.date().nullable(),
  sent_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  approver_ids: z.array(z.string()),
});

/**
 * A row of `steward.ledger`, with `approver_ids` gathered beside it, as an entry.
 *
 * @throws {StewardError} when it cannot be read
 */
export function toLedgerRecord(row: { pause_id: string }): LedgerRecord {
  const read = readRow(ledgerRowSchema, row, `ledger entry ${row.pause_id}`);
  return {
    pauseId: read.pause_id,
    runId: read.run_id,
    teamId: read.team_id,
    channelId: read.channel_id,
    requesterId: read.requester_id,
    terms: read.terms,
    termsDigest: read.terms_digest,
    state: read.state,
    approversNeeded: read.approvers_needed,
    optionIndex: read.option_index,
    approverIds: read.approver_ids,
    requestedAt: read.requested_at,
    approvedAt: read.approved_at,
    sentAt: read.sent_at,
    endedAt: read.ended_at,
  };
}
