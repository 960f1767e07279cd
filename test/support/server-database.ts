import { randomUUID } from 'node:crypto';
import pg from 'pg';

export type TestDatabase = { url: string; drop(): Promise<void> };

/** A database of its own on the test server. */
export async function createDatabase(url: string): Promise<TestDatabase> {
  const name = `steward_flow_${randomUUID().replaceAll('-', '')}`;
  async function run(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
  await run(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => run(`drop database ${name} with (force)`) };
}
