import type { Migration } from './migration.ts';

/**
 * The ledger: a row per payment request, its approvals beside it.
 *
 * The database itself keeps what must never be wrong: a state is reached from the one before it only, what was asked
 * never changes, a sum that counts has an amount, nobody approves twice.
 */
export const ledgerMigration: Migration = {
  name: '0002-ledger',
  statements: [
    `create table steward.ledger (
      pause_id text primary key references steward.pauses (id),
      seq bigserial not null,
      run_id text not null references steward.runs (id),
      team_id text not null,
      channel_id text not null,
      requester_id text not null,
      terms jsonb not null,
      terms_digest text not null,
      state text not null default 'requested' check (state in
        ('requested', 'approved', 'sent', 'settled', 'declined', 'expired', 'unknown')),
      approvers_needed integer not null check (approvers_needed in (1, 2)),
      option_index integer,
      amount numeric,
      currency text,
      requested_at timestamptz not null,
      approved_at timestamptz,
      sent_at timestamptz,
      ended_at timestamptz,
      constraint ledger_choice_is_whole check
        (num_nonnulls(option_index, amount, currency) in (0, 3)),
      constraint ledger_approved_has_amount check (approved_at is null or amount is not null),
      constraint ledger_approved_when_it_counts check
        ((approved_at is not null) = (state in ('approved', 'sent', 'settled', 'unknown'))),
      constraint ledger_sent_when_told check (case
        when state in ('sent', 'settled') then sent_at is not null
        when state = 'unknown' then true
        else sent_at is null end),
      constraint ledger_ended_when_over check
        ((ended_at is not null) = (state in ('settled', 'declined', 'expired', 'unknown')))
    )`,
    'create index ledger_by_run on steward.ledger (run_id, seq)',
    'create index ledger_spent on steward.ledger (team_id, approved_at) where approved_at is not null',

    `create table steward.approvals (
      pause_id text not null references steward.ledger (pause_id),
      seq bigserial not null,
      approver_id text not null,
      approved_at timestamptz not null,
      primary key (pause_id, approver_id)
    )`,

    `create function steward.guard_ledger() returns trigger language plpgsql as $$
    begin
      if (old.pause_id, old.run_id, old.team_id, old.channel_id, old.requester_id, old.terms, old.terms_digest,
          old.requested_at)
        is distinct from (new.pause_id, new.run_id, new.team_id, new.channel_id, new.requester_id, new.terms,
          new.terms_digest, new.requested_at) then
        raise exception 'ledger %: what was asked cannot change', old.pause_id using errcode = 'check_violation';
      end if;
      if old.option_index is not null and (old.option_index, old.amount, old.currency)
        is distinct from (new.option_index, new.amount, new.currency) then
        raise exception 'ledger %: what was approved cannot change', old.pause_id using errcode = 'check_violation';
      end if;
      if (old.approved_at is not null and new.approved_at is distinct from old.approved_at)
        or (old.sent_at is not null and new.sent_at is distinct from old.sent_at) then
        raise exception 'ledger %: what has happened cannot change', old.pause_id using errcode = 'check_violation';
      end if;
      if old.state <> new.state and (old.state, new.state) not in (
        ('requested', 'approved'), ('requested', 'declined'), ('requested', 'expired'),
        ('approved', 'sent'), ('approved', 'unknown'), ('sent', 'settled'), ('sent', 'unknown'))
        and not ((old.state, new.state) = ('unknown', 'sent') and old.sent_at is null) then
        raise exception 'ledger %: % cannot become %', old.pause_id, old.state, new.state
          using errcode = 'check_violation';
      end if;
      return new;
    end $$`,
    `create trigger ledger_guarded before update on steward.ledger
      for each row execute function steward.guard_ledger()`,
  ],
};
