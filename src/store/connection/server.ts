import { Pool } from 'pg';
import type { Logger } from '../../domain/ports/logger.ts';
import { StewardError } from '../../errors.ts';
import { reasonOf, SEARCH_PATH, type SqlPool, watchConnections } from './sql-pool.ts';

const MAX_CONNECTIONS = 20;
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_CONNECTION_MS = 30_000;
/** The server gives up on a statement first; the client does when the server cannot be heard any more. */
const STATEMENT_TIMEOUT_MS = 30_000;
const QUERY_TIMEOUT_MS = 35_000;
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * Opens a pool on a PostgreSQL server (13 or newer), after one round trip that shows that it answers.
 *
 * @throws StewardError `store_unavailable`, naming the server and the reason, never the password
 */
export async function openServerPool(options: { databaseUrl: string; logger: Logger }): Promise<SqlPool> {
  const pool = new Pool({
    connectionString: options.databaseUrl,
    application_name: 'steward',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    // Not the `options` of the startup packet: a connection string may bring its own, and some poolers refuse them.
    onConnect: (client) => client.query(`SET search_path TO ${SEARCH_PATH}`).then(() => undefined),
  });
  watchConnections(pool, options.logger);
  try {
    await pool.query('SELECT 1');
    return pool;
  } catch (cause) {
    await pool.end();
    const text =
      `PostgreSQL at ${serverName(options.databaseUrl)} cannot be used: ${reasonOf(cause)}. ` +
      'Check DATABASE_URL and that the server is up.';
    throw new StewardError(text, { code: 'store_unavailable', retryable: true, cause });
  }
}

/** Host, port and database of a connection string. */
function serverName(databaseUrl: string): string {
  try {
    const url = new URL(databaseUrl);
    return `${url.host}${url.pathname}`;
  } catch {
    return 'the address in DATABASE_URL';
  }
}
