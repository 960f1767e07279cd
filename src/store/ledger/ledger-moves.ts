import { type SqlBool, sql } from 'kysely';
import type { LedgerEntry, LedgerState } from '../../domain/payment.ts';
import type { Db, Trx } from '../database.ts';
import { toJson } from '../json.ts';
import { toLedgerEntry } from '../rows/ledger-row.ts';

/**
 * The ledger's entries and how they move: `requested → approved → sent → settled`, or from `requested` to `declined` or
 * `expired`, or from `approved` and `sent` to `unknown`. All but the first three are ends.
 *
 * Every function that writes runs inside its caller's transaction, together with what it goes with (the pause, the
 * decision, the leg), and after the caller has locked the run. It moves an entry that stands where the move begins and
 * leaves any other as it is, so that a repeated or late call changes nothing. Approving is in approvals.ts, sums are
 * in spending.ts.
 *
 * Once approved, an entry counts as spent for good: nothing takes it back, because nobody can know what the planner
 * made of it. `unknown` stays unknown even if a person resumes the run and it goes on; unless the planner was never told
 * (no `sentAt`): then a resume tells it for the first time, and the entry becomes `sent`.
 */

export type NewLedgerEntry = Pick<
  LedgerEntry,
  | 'pauseId'
  | 'runId'
  | 'teamId'
  | 'channelId'
  | 'requesterId'
  | 'terms'
  | 'termsDigest'
  | 'approversNeeded'
  | 'requestedAt'
>;

/** Writes down a payment request, with its pause in place already. One entry per pause: a second one is an error. */
export async function openEntry(trx: Trx, entry: NewLedgerEntry): Promise<void> {
  await trx
    .insertInto('ledger')
    .values({
      pause_id: entry.pauseId,
      run_id: entry.runId,
      team_id: entry.teamId,
      channel_id: entry.channelId,
      requester_id: entry.requesterId,
      terms: toJson(entry.terms),
      terms_digest: entry.termsDigest,
      state: 'requested',
      approvers_needed: entry.approversNeeded,
      requested_at: entry.requestedAt,
    })
    .execute();
}

/** A person or the policy said no, first approval or not. */
export function decline(trx: Trx, decision: { pauseId: string; at: Date }): Promise<void> {
  return endRequest(trx, { ...decision, state: 'declined' });
}

/** Nobody decided in time, or the run was stopped. */
export function expire(trx: Trx, expired: { pauseId: string; at: Date }): Promise<void> {
  return endRequest(trx, { ...expired, state: 'expired' });
}

async function endRequest(
  trx: Trx,
  end: { pauseId: string; at: Date; state: Extract<LedgerState, 'declined' | 'expired'> },
): Promise<void> {
  await trx
    .updateTable('ledger')
    .set({ state: end.state, ended_at: end.at })
    .where('pause_id', '=', end.pauseId)
    .where('state', '=', 'requested')
    .execute();
}

type RunMove = { runId: string; at: Date };

/**
 * The run's approval is about to leave: stored before it does, in the transaction that marks the leg as sent. The
 * entries that moved; none is no obstacle to the leg (it carries none, or a person resumed an `unknown` one that was told
 * before).
 */
export async function markSent(trx: Trx, { runId, at }: RunMove): Promise<LedgerEntry[]> {
  const moved = trx
    .updateTable('ledger')
    .set({ state: 'sent', sent_at: at, ended_at: null })
    .where('run_id', '=', runId)
    .where('state', 'in', ['approved', 'unknown'])
    .where('sent_at', 'is', null);
  return readMoved(trx, await moved.returning('pause_id').execute());
}

/** The plan went on past the run's payment. The entries that moved. */
export function settle(trx: Trx, { runId, at }: RunMove): Promise<LedgerEntry[]> {
  return endApproved(trx, { runId, at, state: 'settled', from: ['sent'] });
}

/** The run ended by a crash, a cut or a stop between its approval and what came of it. The entries that moved. */
export function markUnknown(trx: Trx, { runId, at }: RunMove): Promise<LedgerEntry[]> {
  return endApproved(trx, { runId, at, state: 'unknown', from: ['approved', 'sent'] });
}

async function endApproved(
  trx: Trx,
  { runId, at, state, from }: RunMove & { state: 'settled' | 'unknown'; from: readonly LedgerState[] },
): Promise<LedgerEntry[]> {
  const moved = trx
    .updateTable('ledger')
    .set({ state, ended_at: at })
    .where('run_id', '=', runId)
    .where('state', 'in', from);
  return readMoved(trx, await moved.returning('pause_id').execute());
}

/** The entry of a pause, or null when that pause asks for no payment. */
export async function getEntry(db: Db, pauseId: string): Promise<LedgerEntry | null> {
  const [entry] = await readEntries(db, sql`l.pause_id = ${pauseId}`);
  return entry ?? null;
}

/** A run's entries in the order in which they were asked for: what had been approved or paid (contract C29). */
export function entriesOf(db: Db, runId: string): Promise<LedgerEntry[]> {
  return readEntries(db, sql`l.run_id = ${runId}`);
}

function readMoved(trx: Trx, moved: ReadonlyArray<{ pause_id: string }>): Promise<LedgerEntry[]> {
  if (moved.length === 0) return Promise.resolve([]);
  const ids = toJson(moved.map((row) => row.pause_id));
  return readEntries(trx, sql`l.pause_id in (select jsonb_array_elements_text(${ids}::jsonb))`);
}

async function readEntries(db: Db, where: ReturnType<typeof sql<SqlBool>>): Promise<LedgerEntry[]> {
  const { rows } = await sql<{ pause_id: string }>`
    select l.*, array(select a.approver_id from steward.approvals a where a.pause_id = l.pause_id order by a.seq)
      as approver_ids
    from steward.ledger l where ${where} order by l.seq`.execute(db);
  return rows.map(toLedgerEntry);
}
