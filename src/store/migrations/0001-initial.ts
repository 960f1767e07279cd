import type { Migration } from './migration.ts';

/** The first schema. Released migrations are never edited: a change is a new file. */
export const initialMigration: Migration = {
  name: '0001-initial',
  statements: [
    `create table steward.runs (
      id text primary key,
      seq bigserial not null,
      request_key text not null unique,
      session_id text not null,
      team_id text not null,
      channel_id text not null,
      thread_ts text not null,
      requester_id text not null,
      request_ts text,
      order_ts numeric not null,
      source text not null,
      text text not null,
      files jsonb not null,
      state text not null default 'queued' check (state in
        ('queued', 'running', 'paused', 'completed', 'failed', 'stopped', 'expired', 'interrupted')),
      is_current boolean not null default false,
      epoch integer not null default 0,
      plan jsonb not null,
      turns jsonb not null default '[]',
      answer text not null default '',
      failure text,
      stop_requested_by text,
      choice jsonb,
      queued_at timestamptz not null default now(),
      enqueued_at timestamptz,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      ended_at timestamptz,
      active_ms bigint not null default 0,
      constraint runs_current_is_live check (not is_current or state in ('queued', 'running', 'paused')),
      constraint runs_at_work_is_current check (is_current or state not in ('running', 'paused'))
    )`,
    `create unique index runs_one_current_per_thread on steward.runs (team_id, channel_id, thread_ts)
      where is_current`,
    'create index runs_by_thread on steward.runs (team_id, channel_id, thread_ts, order_ts, seq)',
    'create index runs_by_request on steward.runs (request_ts, channel_id)',
    'create index runs_by_state on steward.runs (state)',
    `create index runs_live_by_requester on steward.runs (requester_id)
      where state in ('queued', 'running', 'paused')`,
    `create index runs_waiting_for_worker on steward.runs (queued_at) where state = 'queued' and is_current`,
    `create index runs_waiting_in_thread on steward.runs (team_id, channel_id, thread_ts)
      where state = 'queued' and not is_current`,

    `create table steward.legs (
      run_id text not null references steward.runs (id),
      epoch integer not null,
      owner text not null,
      claimed_at timestamptz not null default now(),
      sent_at timestamptz,
      beat_at timestamptz not null default now(),
      ended_at timestamptz,
      primary key (run_id, epoch)
    )`,
    'create index legs_under_way on steward.legs (beat_at) where ended_at is null',

    `create table steward.pauses (
      id text primary key,
      seq bigserial not null,
      run_id text not null references steward.runs (id),
      epoch integer not null,
      request jsonb not null,
      terms_digest text not null,
      state text not null default 'open' check (state in ('open', 'decided', 'expired', 'cancelled')),
      opened_at timestamptz not null,
      deadline_at timestamptz not null,
      decision jsonb,
      decided_by text,
      decided_at timestamptz,
      constraint pauses_decided_has_decision check ((state = 'decided') = (decision is not null))
    )`,
    'create index pauses_by_run on steward.pauses (run_id, seq)',
    `create index pauses_by_deciding_request on steward.pauses ((decision ->> 'requestKey'))
      where decision is not null`,
    `create unique index pauses_one_open_per_run on steward.pauses (run_id) where state = 'open'`,
    `create index pauses_open_by_deadline on steward.pauses (deadline_at) where state = 'open'`,

    `create table steward.outbox (
      operation_id text primary key,
      seq bigserial not null,
      kind text not null check (kind in ('status', 'answer', 'file', 'card', 'notice')),
      channel_id text not null,
      thread_ts text,
      run_id text,
      pause_id text,
      part integer not null default 0,
      parts integer not null default 1,
      text text,
      ts text,
      wanted_rev integer not null default 1,
      shown_rev integer not null default 0,
      attempts integer not null default 0,
      lease_until timestamptz,
      next_attempt_at timestamptz,
      failed_at timestamptz,
      failure_reason text
    )`,
    `create index outbox_owed on steward.outbox (seq) where wanted_rev > shown_rev and failed_at is null`,
    `create index outbox_answers on steward.outbox (run_id, part) where kind = 'answer'`,

    `create table steward.inbox (
      key text primary key,
      seq bigserial not null,
      kind text not null check (kind in ('message', 'deletion', 'command')),
      body jsonb not null,
      received_at timestamptz not null default now(),
      taken_at timestamptz,
      processed_at timestamptz,
      attempts integer not null default 0
    )`,
    'create index inbox_unprocessed on steward.inbox (received_at) where processed_at is null',
    'create index inbox_processed on steward.inbox (received_at) where processed_at is not null',

    `create table steward.audit (
      seq bigserial primary key,
      at timestamptz not null default now(),
      kind text not null,
      run_id text not null,
      pause_id text,
      actor_id text not null,
      reason text not null
    )`,
    'create index audit_by_run on steward.audit (run_id, seq)',
  ],
};
