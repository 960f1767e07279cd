import type { Pool, PoolClient } from 'pg';

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
