import type { SqlPool } from '../../../src/store/connection/sql-pool.ts';

/** Resolves when so many statements of this database wait for other transactions. */
export async function blockedStatements(pool: SqlPool, count = 1): Promise<void> {
  const waiting = `select count(*)::int as blocked from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await pool.query(waiting)).rows[0].blocked < count);
}

/** Holds a row as another process would, until the result is called. */
export async function holdRow(pool: SqlPool, table: string, where: string): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(`select from steward.${table} where ${where} for update`);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}
