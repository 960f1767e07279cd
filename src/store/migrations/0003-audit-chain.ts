import type { Migration } from './migration.ts';

/**
 * Makes the audit trail a hash chain that only grows.
 *
 * Whoever adds a row, the database numbers it, dates it and chains it, one at a time: the row of `audit_head` is locked
 * until the transaction ends. Rows are neither changed nor deleted, but for those that a `pruned` row names, which says
 * truthfully up to where the trail was cut and with which hash. Rows from before are numbered anew and chained.
 *
 * What is hashed is spelled out in audit-chain.ts, which computes the same without the database's help.
 */
export const auditChainMigration: Migration = {
  name: '0003-audit-chain',
  statements: [
    'alter table steward.audit alter column seq drop default',
    'drop sequence steward.audit_seq_seq',
    `alter table steward.audit
      alter column run_id drop not null,
      alter column actor_id drop not null,
      add column details text not null default '{}' check (jsonb_typeof(details::jsonb) = 'object'),
      add column prev_hash text,
      add column hash text`,
    'create index audit_by_time on steward.audit (at)',
    `create table steward.audit_head (
      is_head boolean primary key default true check (is_head),
      seq bigint not null,
      hash text not null,
      pruned_through bigint not null default 0
    )`,

    `create function steward.audit_hash(entry steward.audit) returns text language sql stable as $$
      select encode(sha256(convert_to(entry.prev_hash || '[' || concat_ws(',',
        entry.seq,
        to_json(to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
        to_json(entry.kind),
        coalesce(to_json(entry.run_id)::text, 'null'),
        coalesce(to_json(entry.pause_id)::text, 'null'),
        coalesce(to_json(entry.actor_id)::text, 'null'),
        to_json(entry.reason),
        entry.details) || ']', 'UTF8')), 'hex')
    $$`,

    `do $$
    declare
      entry steward.audit;
      place bigint := 0;
      last_hash text := repeat('0', 64);
    begin
      for entry in select * from steward.audit order by seq loop
        place := place + 1;
        update steward.audit set seq = place, prev_hash = last_hash where seq = entry.seq returning * into entry;
        last_hash := steward.audit_hash(entry);
        update steward.audit set hash = last_hash where seq = place;
      end loop;
      insert into steward.audit_head (seq, hash) values (place, last_hash);
    end $$`,
    'alter table steward.audit alter column prev_hash set not null, alter column hash set not null',

    `create function steward.chain_audit() returns trigger language plpgsql as $$
    declare
      head steward.audit_head;
      marker jsonb;
    begin
      select * into head from steward.audit_head for update;
      if not found then
        raise exception 'the head of the audit chain is missing' using errcode = 'check_violation';
      end if;
      new.seq := head.seq + 1;
      new.at := clock_timestamp();
      new.prev_hash := head.hash;
      new.hash := steward.audit_hash(new);
      if new.kind = 'pruned' then
        marker := new.details::jsonb;
        if not exists (select from steward.audit
          where seq = (marker ->> 'throughSeq')::bigint and hash = marker ->> 'lastHash') then
          raise exception 'the marker of a cut does not say what is cut' using errcode = 'check_violation';
        end if;
        head.pruned_through := (marker ->> 'throughSeq')::bigint;
      end if;
      update steward.audit_head set seq = new.seq, hash = new.hash, pruned_through = head.pruned_through;
      return new;
    end $$`,
    `create trigger audit_chained before insert on steward.audit
      for each row execute function steward.chain_audit()`,

    `create function steward.keep_audit() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        if old.seq <= (select pruned_through from steward.audit_head) then
          return old;
        end if;
      end if;
      raise exception 'the audit trail only grows' using errcode = 'check_violation';
    end $$`,
    `create trigger audit_kept before update or delete on steward.audit
      for each row execute function steward.keep_audit()`,
    `create trigger audit_kept_whole before truncate on steward.audit
      for each statement execute function steward.keep_audit()`,
  ],
};
