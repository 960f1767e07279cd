import { z } from 'zod';
import { LEDGER_STATES, type LedgerEntry } from '../../domain/payment.ts';
import { paymentTermsSchema } from './payment-terms.ts';
import { readRow } from './read-row.ts';

const ledgerRowSchema = z.object({
  pause_id: z.string(),
  run_id: z.string(),
  team_id: z.string(),
  channel_id: z.string(),
  requester_id: z.string(),
  terms: paymentTermsSchema,
  terms_digest: z.string(),
  state: z.enum(LEDGER_STATES),
  approvers_needed: z.union([z.literal(1), z.literal(2)]),
  option_index: z.number().nullable(),
  requested_at: z.date(),
  approved_at: z.date().nullable(),
  allowed_at: z.date().nullable(),
  policy_digest: z.string().nullable(),
  sent_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  approver_ids: z.array(z.string()),
});

/**
 * A row of `steward.ledger`, with `approver_ids` gathered beside it, as an entry.
 *
 * @throws {StewardError} when it cannot be read
 */
export function toLedgerEntry(row: { pause_id: string }): LedgerEntry {
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
    allowedAt: read.allowed_at,
    policyDigest: read.policy_digest,
    sentAt: read.sent_at,
    endedAt: read.ended_at,
  };
}
