import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { errorMessage, StewardError } from '../errors.ts';
import type { SqlClient, SqlPool } from './connection/sql-pool.ts';

/** Given up because of another transaction; the same one may succeed when it runs again. */
const CONFLICT_CODES = ['40001', '40P01'];
const UNIQUE_VIOLATION = '23505';
const UNDEFINED_TABLE = '42P01';
/** Two runs that become a thread's current one at once; two processes that create the schema at once. */
const CONFLICT_INDEXES = ['runs_one_current_per_thread', 'pg_namespace_nspname_index'];

/** SQLSTATE classes that speak of the statement: it fails the same way however often it is sent. */
const STATEMENT_CLASSES = ['21', '22', '23', '42'];

/** Whether the database gave up a transaction because of another one. */
export function isConflict(error: unknown): boolean {
  const { code, constraint } = sqlFields(error instanceof StewardError ? error.cause : error);
  return CONFLICT_CODES.includes(code) || (code === UNIQUE_VIOLATION && CONFLICT_INDEXES.includes(constraint));
}

/** Whether what was asked about is not there at all. */
export function isTableMissing(error: unknown): boolean {
  return sqlFields(error instanceof StewardError ? error.cause : error).code === UNDEFINED_TABLE;
}

/** A pool as Kysely needs it, whose failures are `StewardError`s with the database's own error as their cause. */
export function translateErrors(pool: SqlPool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect().catch(rethrow);
      return { query: translatedQuery(client), release: () => client.release() };
    },
    end: () => pool.end(),
  };
}

function translatedQuery(client: SqlClient): PostgresPoolClient['query'] {
  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query(text: string | PostgresCursor<unknown>, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('Queries are not streamed here');
    return client.query(text, [...parameters]).catch(rethrow);
  }
  return query;
}

function rethrow(error: unknown): never {
  if (error instanceof StewardError) throw error;
  const { code } = sqlFields(error);
  throw new StewardError(`The database did not do what it was asked: ${errorMessage(error)}`, {
    code: 'store_unavailable',
    retryable: !STATEMENT_CLASSES.includes(code.slice(0, 2)) || isConflict(error),
    cause: error,
  });
}

function sqlFields(error: unknown): { code: string; constraint: string } {
  if (!(error instanceof Error)) return { code: '', constraint: '' };
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  return {
    code: typeof code === 'string' ? code : '',
    constraint: typeof constraint === 'string' ? constraint : '',
  };
}
