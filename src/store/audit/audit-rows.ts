import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** A row of the audit trail, with all that its hash is made of as it is hashed. */
export type AuditRow = {
  seq: number;
  /** UTC with microseconds, `2026-01-31T09:30:00.123456Z`: a Date would drop some of what is hashed. */
  at: string;
  kind: string;
  runId: string | null;
  pauseId: string | null;
  actorId: string | null;
  reason: string;
  /** JSON text of an object, keys in order. */
  details: string;
  prevHash: string;
  hash: string;
};

/** Rows may hold whole cards, so that a batch stays within some megabytes. */
const BATCH = 500;

/** Rows in order, read in batches. `from` inclusive, `to` exclusive; null is without end. */
export async function* readAuditRows(
  db: Db,
  range: { from: Date | null; to: Date | null },
): AsyncGenerator<AuditRow, void, undefined> {
  let after = 0;
  for (;;) {
    const rows = await readBatch(db, { ...range, after });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.seq;
  }
}

async function readBatch(db: Db, where: { from: Date | null; to: Date | null; after: number }): Promise<AuditRow[]> {
  const { rows } = await sql<Omit<AuditRow, 'seq'> & { seq: string }>`
    select seq::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, kind,
      run_id as "runId", pause_id as "pauseId", actor_id as "actorId", reason, details,
      prev_hash as "prevHash", hash
    from steward.audit a
    where a.seq > ${where.after}
      and at >= coalesce(${where.from}::timestamptz, '-infinity') and at < coalesce(${where.to}::timestamptz, 'infinity')
    order by a.seq limit ${BATCH}`.execute(db);
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}
