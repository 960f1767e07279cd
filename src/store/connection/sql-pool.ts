import type { Pool, PoolClient } from 'pg';
import type { Logger } from '../../domain/ports/logger.ts';
import { errorMessage } from '../../errors.ts';

/**
 * What the repositories and the queue run SQL on: a node-postgres pool. The embedded database and a server both give
 * one, so that types, errors (`code`, `constraint`, `detail`) and transactions are the same on either.
 *
 * - `search_path` is `steward, bullmq, public` on every connection: our tables live in `steward`, the queue's in
 *   `bullmq`, and no name may stand in both.
 * - `end()` closes the pool and all that stands behind it (thread, lock). Called once, by its last user.
 * - 'error' is emitted when an idle connection or the database itself is lost; it has a listener that logs.
 */
export type SqlPool = Pool;

/** A connection checked out of a pool; `release()` gives it back, `release(true)` closes it. */
export type SqlClient = PoolClient;

/** The schemas that unqualified names are looked up in, on every connection. */
export const SEARCH_PATH = 'steward,bullmq,public';

/**
 * Sees to it that a lost connection is logged and ends no process: node-postgres emits 'error' on the pool for an idle
 * one and on the connection itself for one that is checked out, where its user may have no listener. What was under way
 * on it rejects all the same.
 */
export function watchConnections(pool: SqlPool, logger: Logger): void {
  const report = (error: Error) => logger.warn({ reason: reasonOf(error) }, 'database_connection_lost');
  pool.on('error', report);
  pool.on('connect', (client) =>
    client.on('error', (error) => logger.debug({ reason: reasonOf(error) }, 'connection_error')),
  );
}

/** A refused connection to a host with several addresses has its reasons inside and no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(errorMessage).join(', ');
  return errorMessage(error);
}
