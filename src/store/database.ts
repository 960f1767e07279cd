import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from 'kysely';
import type { SqlPool } from './connection/sql-pool.ts';
import { toJson } from './json.ts';
import type { Database } from './schema.ts';
import { isConflict, translateErrors } from './sql-errors.ts';

/** A query maker on schema `steward`: the pool's, or a transaction's. */
export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

const MAX_TRIES = 5;

/** Kysely on a pool. Names of tables are qualified, so that no connection's `search_path` matters. */
export function createDatabase(pool: SqlPool): Db {
  const dialect = new PostgresDialect({ pool: translateErrors(pool) });
  return new Kysely<Database>({ dialect }).withSchema('steward');
}

/**
 * Runs `work` in one transaction (read committed). A transaction that the database gave up because of another one
 * (deadlock, serialisation, a thread's current run, the schema at a first start) is run again, five times at most.
 */
export async function transact<R>(db: Db, work: (trx: Trx) => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (tries === MAX_TRIES || !isConflict(error)) throw error;
    }
  }
}

/** A list of texts as one parameter, for `in`: the statement stays the same whatever their number. */
export function listOf(values: readonly string[]): RawBuilder<string> {
  return sql<string>`(select jsonb_array_elements_text(${toJson(values)}::jsonb))`;
}

/** A moment by the database's clock, which all processes share. */
export function msAgo(ms: number): RawBuilder<Date> {
  return sql<Date>`now() - ${ms} * interval '1 millisecond'`;
}

export function msFromNow(ms: number): RawBuilder<Date> {
  return sql<Date>`now() + ${ms} * interval '1 millisecond'`;
}

/** The time at which this transaction started, by the database's clock. */
export const NOW: RawBuilder<Date> = sql<Date>`now()`;
