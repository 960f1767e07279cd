import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Db } from '../database.ts';
import { toJson } from '../json.ts';
import { type AuditRow, readAuditRows } from './audit-rows.ts';

/** What stands before the first row. */
const GENESIS = '0'.repeat(64);

/** The newest row: whoever keeps a copy elsewhere can tell later that nothing before it was rewritten. */
export type ChainEnd = { seq: number; hash: string };

/** `rows` counts those that hold. `firstBreak.seq` is the row that does not fit, or that is missing. */
export type ChainVerdict =
  | { ok: true; rows: number; end: ChainEnd }
  | { ok: false; rows: number; firstBreak: { seq: number; problem: string } };

/**
 * A row's hash: SHA-256 in hex of the hash before it followed by the row as a JSON array,
 * `[seq,at,kind,runId,pauseId,actorId,reason,details]`. The database computes the same when it adds the row.
 */
export function auditHash(row: Omit<AuditRow, 'hash'>): string {
  const words = [row.at, row.kind, row.runId, row.pauseId, row.actorId, row.reason].map((word) => JSON.stringify(word));
  const body = `[${[row.seq, ...words, row.details].join(',')}]`;
  return createHash('sha256').update(`${row.prevHash}${body}`).digest('hex');
}

/** An entry's details as they are stored and hashed: what a database can keep of them, as JSON text with keys in order. */
export function detailsJson(details: Record<string, unknown>): string {
  return canonicalJson(JSON.parse(toJson(details)));
}

/**
 * Walks the whole chain as it stands at one moment, in batches, and names the first row that does not fit: altered,
 * out of its place, or missing at the start, in the middle or at the end. A start that was cut by retention must be
 * accounted for by its marker.
 *
 * It finds what was changed by hand, not what was rewritten from some row to the end with all its hashes: against that
 * helps a copy of the chain's end kept elsewhere.
 */
export function verifyChain(db: Db): Promise<ChainVerdict> {
  // Rows come and go meanwhile: all reads see the same moment.
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(walk);
}

async function walk(db: Db): Promise<ChainVerdict> {
  const head = await readHead(db);
  if (!head) return { ok: false, rows: 0, firstBreak: { seq: 0, problem: 'the head of the chain is missing' } };
  let last: ChainEnd = await readStart(db);
  let rows = 0;
  for await (const row of readAuditRows(db, { from: null, to: null })) {
    const firstBreak = findBreak(row, last);
    if (firstBreak) return { ok: false, rows, firstBreak };
    last = { seq: row.seq, hash: row.hash };
    rows++;
  }
  if (last.seq !== head.seq) {
    const problem = `rows are missing at the end: the last one was ${head.seq}`;
    return { ok: false, rows, firstBreak: { seq: last.seq + 1, problem } };
  }
  if (last.hash !== head.hash) {
    return { ok: false, rows, firstBreak: { seq: last.seq, problem: 'it is not the row that the chain ended with' } };
  }
  return { ok: true, rows, end: last };
}

function findBreak(row: AuditRow, last: ChainEnd): { seq: number; problem: string } | null {
  if (row.seq !== last.seq + 1) return { seq: last.seq + 1, problem: `it is missing: the next row is ${row.seq}` };
  if (row.prevHash !== last.hash) return { seq: row.seq, problem: 'it does not follow from the row before it' };
  if (row.hash !== auditHash(row)) return { seq: row.seq, problem: 'it was altered' };
  return null;
}

async function readHead(db: Db): Promise<ChainEnd | null> {
  const row = await db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirst();
  return row ? { seq: Number(row.seq), hash: row.hash } : null;
}

/** Where the chain starts: at its first row, or after what the newest marker says was cut. */
async function readStart(db: Db): Promise<ChainEnd> {
  const { rows } = await sql<{ seq: string; hash: string }>`
    select details::jsonb ->> 'throughSeq' as seq, details::jsonb ->> 'lastHash' as hash
    from steward.audit where kind = 'pruned' order by seq desc limit 1`.execute(db);
  return rows[0] ? { seq: Number(rows[0].seq), hash: rows[0].hash } : { seq: 0, hash: GENESIS };
}
