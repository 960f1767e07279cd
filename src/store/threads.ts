import { sql } from 'kysely';
import { statusOperation } from '../domain/outbox.ts';
import { PLACES_KEPT_CURRENT, type RunState } from '../domain/run.ts';
import type { ThreadRef } from '../domain/thread.ts';
import type { Db, Trx } from './database.ts';
import { toJson } from './json.ts';

/**
 * Who runs in a thread.
 *
 * Each change of which runs a thread has, or which of them is current, is made under the thread's advisory lock, taken
 * first in the transaction. So an admission and an end that meet see each other, and no queued run is left with nobody
 * to promote it. The unique index on the current run stands behind it.
 */
type ThreadKey = { team_id: string; channel_id: string; thread_ts: string };

function threadKeys(threads: readonly ThreadRef[]): string {
  return toJson(
    threads.map((thread): ThreadKey => {
      return { team_id: thread.teamId, channel_id: thread.channelId, thread_ts: thread.threadTs };
    }),
  );
}

/** Takes the threads' locks until the transaction ends, in one order for everybody. */
export async function lockThreads(trx: Trx, threads: readonly ThreadRef[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(lock) from (
      select distinct hashtextextended(concat_ws('/', 'steward', team_id, channel_id, thread_ts), 0) as lock
      from jsonb_to_recordset(${threadKeys(threads)}::jsonb) as t (team_id text, channel_id text, thread_ts text)
      order by lock
    ) locks`.execute(trx);
}

/** What a transition looks at; the row stays locked until the transaction ends. */
export type LockedRun = {
  id: string;
  thread: ThreadRef;
  state: RunState;
  epoch: number;
  stopRequestedBy: string | null;
  isChosen: boolean;
};

/** Locks a run's thread, then the run. Null when there is no such run. */
export async function lockRun(trx: Trx, runId: string): Promise<LockedRun | null> {
  const where = await trx
    .selectFrom('runs')
    .select(['team_id as teamId', 'channel_id as channelId', 'thread_ts as threadTs'])
    .where('id', '=', runId)
    .executeTakeFirst();
  if (!where) return null;
  await lockThreads(trx, [where]);
  const run = await trx
    .selectFrom('runs')
    .select(['id', 'state', 'epoch', 'stop_requested_by as stopRequestedBy', 'choice'])
    .where('id', '=', runId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { choice, ...rest } = run;
  return { ...rest, thread: where, isChosen: choice !== null };
}

/**
 * Makes the first queued run of each given thread current, where none is; answers their ids.
 *
 * Queued runs whose place may have changed have their status message owed, if it shows that: all of them, or those
 * behind the runs `admitted` when nothing else has changed.
 */
export async function promoteNext(
  trx: Trx,
  threads: readonly ThreadRef[],
  admitted: ReadonlySet<string> | null = null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with waiting as (
      select r.id, r.team_id, r.channel_id, r.thread_ts, r.order_ts, r.seq,
        rank() over (partition by r.team_id, r.channel_id, r.thread_ts order by r.order_ts, r.seq) as place
      from steward.runs r
      join (select distinct * from jsonb_to_recordset(${threadKeys(threads)}::jsonb)
        as t (team_id text, channel_id text, thread_ts text)) t using (team_id, channel_id, thread_ts)
      where r.state = 'queued'
    ), first as (
      select distinct on (w.team_id, w.channel_id, w.thread_ts) w.id
      from waiting w
      where not exists (select from steward.runs c
        where (c.team_id, c.channel_id, c.thread_ts) = (w.team_id, w.channel_id, w.thread_ts) and c.is_current)
      order by w.team_id, w.channel_id, w.thread_ts, w.order_ts, w.seq
    ), owed as (
      update steward.outbox o set wanted_rev = o.wanted_rev + 1, failed_at = null
      from waiting w
      where o.operation_id = ${statusOperation('')} || w.id and w.place <= ${PLACES_KEPT_CURRENT}
        and (${admitted === null} or w.id in (select id from first) or exists (select from waiting before
          where before.id in (select jsonb_array_elements_text(${toJson([...(admitted ?? [])])}::jsonb))
            and (before.team_id, before.channel_id, before.thread_ts) = (w.team_id, w.channel_id, w.thread_ts)
            and (before.order_ts, before.seq) < (w.order_ts, w.seq)))
    )
    update steward.runs r set is_current = true, queued_at = now(), enqueued_at = null
    from first where r.id = first.id and r.state = 'queued'
    returning r.id`.execute(trx);
  return rows.map((row) => row.id);
}

/** Threads that have queued runs and no current one: what a crash or a fault between two steps would leave. */
export async function strandedThreads(db: Db, limit: number): Promise<ThreadRef[]> {
  const { rows } = await sql<ThreadRef>`
    select r.team_id as "teamId", r.channel_id as "channelId", r.thread_ts as "threadTs"
    from steward.runs r
    where r.state = 'queued' and not r.is_current and not exists (select from steward.runs c
      where (c.team_id, c.channel_id, c.thread_ts) = (r.team_id, r.channel_id, r.thread_ts) and c.is_current)
    group by 1, 2, 3 order by min(r.seq) limit ${limit}`.execute(db);
  return rows;
}
