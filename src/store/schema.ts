import type { ColumnType, Generated } from 'kysely';
import type { AuditKind } from '../domain/audit.ts';
import type { OutboxKind } from '../domain/outbox.ts';
import type { PauseState } from '../domain/pause.ts';
import type { LedgerState } from '../domain/payment.ts';
import type { InboxEntry } from '../domain/ports/store.ts';
import type { FailureCode, RunSource, RunState } from '../domain/run.ts';

/** A timestamptz: read as a Date. */
type Timestamp = ColumnType<Date, Date, Date>;
type MaybeTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** A json or jsonb: unknown until a row schema has read it, written as text made by `toJson`. */
type Json = ColumnType<unknown, string, string>;
type MaybeJson = ColumnType<unknown, string | null | undefined, string | null>;

/** Bookkeeping that the database fills in; never read into the domain. */
type Filled<T> = ColumnType<T, T | undefined, T>;

type RunsTable = {
  id: string;
  seq: Generated<unknown>;
  request_key: string;
  session_id: string;
  team_id: string;
  channel_id: string;
  thread_ts: string;
  requester_id: string;
  request_ts: string | null;
  /** Place in the thread: the request's ts in seconds, or the time of admission where it has none of its own. */
  order_ts: unknown;
  source: RunSource;
  text: string;
  files: Json;
  state: RunState;
  is_current: boolean;
  epoch: number;
  plan: Json;
  turns: Json;
  answer: string;
  failure: FailureCode | null;
  stop_requested_by: string | null;
  choice: MaybeJson;
  /** Since when the run waits for a worker; says nothing in other states. */
  queued_at: Timestamp;
  /** When its job was last added, or null if it was not since it became queued. */
  enqueued_at: MaybeTimestamp;
  created_at: Timestamp;
  started_at: MaybeTimestamp;
  ended_at: MaybeTimestamp;
  active_ms: unknown;
};

type LegsTable = {
  run_id: string;
  epoch: number;
  owner: string;
  claimed_at: Filled<Date>;
  sent_at: MaybeTimestamp;
  beat_at: Timestamp;
  ended_at: MaybeTimestamp;
};

type PausesTable = {
  id: string;
  seq: Generated<unknown>;
  run_id: string;
  epoch: number;
  request: Json;
  terms_digest: string;
  state: PauseState;
  opened_at: Timestamp;
  deadline_at: Timestamp;
  decision: MaybeJson;
  decided_by: string | null;
  decided_at: MaybeTimestamp;
};

type OutboxTable = {
  operation_id: string;
  seq: Generated<unknown>;
  kind: OutboxKind;
  channel_id: string;
  thread_ts: string | null;
  run_id: string | null;
  pause_id: string | null;
  part: number;
  parts: number;
  text: string | null;
  card: MaybeJson;
  ts: string | null;
  wanted_rev: number;
  shown_rev: number;
  attempts: number;
  lease_until: MaybeTimestamp;
  next_attempt_at: MaybeTimestamp;
  /** Set when Slack refused the present revision for good; a newer revision clears it. */
  failed_at: MaybeTimestamp;
  failure_reason: string | null;
};

type InboxTable = {
  key: string;
  seq: Generated<unknown>;
  kind: InboxEntry['kind'];
  body: Json;
  received_at: Timestamp;
  taken_at: MaybeTimestamp;
  processed_at: MaybeTimestamp;
  attempts: number;
};

/** Payments: what was asked, and how far it went. What was asked never changes; the database refuses it. */
export type LedgerTable = {
  pause_id: string;
  seq: Generated<unknown>;
  run_id: string;
  team_id: string;
  channel_id: string;
  requester_id: string;
  terms: Json;
  terms_digest: string;
  state: LedgerState;
  approvers_needed: number;
  /** What the first approval chose, with its amount and currency; null before. */
  option_index: number | null;
  amount: ColumnType<unknown, never, string>;
  /** Upper case; the one received stands in the terms. */
  currency: string | null;
  requested_at: Timestamp;
  approved_at: MaybeTimestamp;
  allowed_at: MaybeTimestamp;
  policy_digest: string | null;
  sent_at: MaybeTimestamp;
  ended_at: MaybeTimestamp;
};

export type ApprovalsTable = {
  pause_id: string;
  seq: Generated<unknown>;
  approver_id: string;
  approved_at: Timestamp;
};

/** Filled in by the database when a row is added: `seq`, `at` and the two hashes. Never updated. */
export type AuditTable = {
  seq: ColumnType<unknown, never, never>;
  at: ColumnType<Date, never, never>;
  kind: ColumnType<AuditKind, AuditKind, never>;
  run_id: ColumnType<string | null, string | null, never>;
  pause_id: ColumnType<string | null, string | null, never>;
  actor_id: ColumnType<string | null, string | null, never>;
  reason: ColumnType<string, string, never>;
  /** JSON text with its keys in order: what is hashed is what is stored. */
  details: ColumnType<string, string | undefined, never>;
  prev_hash: ColumnType<string, never, never>;
  hash: ColumnType<string, never, never>;
};

/** One row: the newest of the audit chain. Kept by the database. */
export type AuditHeadTable = {
  seq: ColumnType<unknown, never, never>;
  hash: ColumnType<string, never, never>;
  pruned_through: ColumnType<unknown, never, never>;
};

/** The tables of schema `steward`, as Kysely sees them. What they hold is explained in README.md. */
export type Database = {
  runs: RunsTable;
  legs: LegsTable;
  pauses: PausesTable;
  outbox: OutboxTable;
  inbox: InboxTable;
  audit: AuditTable;
  audit_head: AuditHeadTable;
  ledger: LedgerTable;
  approvals: ApprovalsTable;
};
