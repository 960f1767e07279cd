import type { SqlClient, SqlPool } from '../../../src/store/connection/sql-pool.ts';

/**
 * When a process is killed: at its so-manieth statement, transactions' own included. `isDone`: the database has carried
 * that statement out, and its answer is lost.
 */
export type Crash = { atStatement: number; isDone: boolean };

/** A pool whose user is killed; `wasHit` once it was. The pool below lives on. */
export type CrashingPool = { pool: SqlPool; readonly wasHit: boolean };

/** How the connection of a killed process dies: by the server's hand, where there is a server. */
export type Kill = (client: SqlClient) => Promise<void>;

export const terminate: Kill = async (client) => {
  // Answered by the end of the connection.
  await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
};

export function createCrashingPool(pool: SqlPool, crash: Crash, kill: Kill | null): CrashingPool {
  let statements = 0;
  let wasHit = false;

  async function connect() {
    const client = await pool.connect();
    let isReleased = false;
    return {
      async query(text: string, parameters?: unknown[]): Promise<unknown> {
        if (wasHit) throw new Error('The process is dead');
        statements++;
        if (statements < crash.atStatement) return client.query(text, parameters);
        if (crash.isDone) await client.query(text, parameters);
        wasHit = true;
        await kill?.(client);
        isReleased = true;
        // Closes the connection, as the end of its process does.
        client.release(true);
        throw new Error('The process was killed');
      },
      release() {
        if (!isReleased) client.release();
      },
    };
  }

  const crashing: SqlPool = Object.create(pool, { connect: { value: connect } });
  return {
    pool: crashing,
    get wasHit() {
      return wasHit;
    },
  };
}
