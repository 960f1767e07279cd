import { sql } from 'kysely';
import type { GroupCommit } from '../async/group-commit.ts';
import type { InboxEntry, InboxStore } from '../domain/ports/store.ts';
import { type Db, listOf, NOW } from './database.ts';
import { toJson } from './json.ts';

/** Slack deliveries, stored before they are acknowledged. */
export function createInboxStore(
  db: Db,
  commits: { deliveries: GroupCommit<InboxEntry, boolean>; completions: GroupCommit<string, undefined> },
): InboxStore {
  return {
    put: (entry) => commits.deliveries.submit(entry),
    markProcessed: (key) => commits.completions.submit(key),
    async takeUnprocessed({ olderThanMs, maxAttempts, limit }) {
      const { rows } = await sql<InboxEntry>`
        with taken as (
          update steward.inbox set attempts = attempts + 1, taken_at = now()
          where key in (
            select key from steward.inbox
            where processed_at is null and attempts < ${maxAttempts}
              and coalesce(taken_at, received_at) <= now() - ${restOf(olderThanMs)}
            order by seq limit ${limit} for update skip locked)
          returning key, kind, body, seq
        )
        select key, kind, body from taken order by seq`.execute(db);
      return rows;
    },
    async prune(before) {
      const dropped = await db
        .deleteFrom('inbox')
        .where('processed_at', 'is not', null)
        .where('received_at', '<', before)
        .returning('key')
        .execute();
      return dropped.length;
    },
  };
}

const LONGEST_REST = '10 minutes';

/** How long a row rests before it is taken: twice as long after each attempt, so that an outage does not use them up. */
function restOf(olderThanMs: number) {
  return sql`least(${olderThanMs}::float8 * interval '1 millisecond' * power(2, least(attempts, 20)), greatest(
    ${olderThanMs}::float8 * interval '1 millisecond', interval ${sql.lit(LONGEST_REST)}))`;
}

/** Stores a batch of deliveries; of each, in order, whether it was new. */
export async function insertDeliveries(db: Db, entries: readonly InboxEntry[]): Promise<boolean[]> {
  // Sorted by key, so that two processes which store the same deliveries wait for each other instead of deadlocking.
  const { rows } = await sql<{ key: string }>`
    insert into steward.inbox (key, kind, body)
    select key, kind, body
    from jsonb_to_recordset(${toJson(entries)}::jsonb) as entry (key text, kind text, body jsonb)
    order by key
    on conflict (key) do nothing
    returning key`.execute(db);
  const created = new Set(rows.map((row) => row.key));
  return entries.map((entry) => created.delete(entry.key));
}

/** Marks a batch of deliveries as processed. */
export async function markProcessed(db: Db, keys: readonly string[]): Promise<undefined[]> {
  await db.updateTable('inbox').set({ processed_at: NOW }).where('key', 'in', listOf(keys)).execute();
  return keys.map(() => undefined);
}
