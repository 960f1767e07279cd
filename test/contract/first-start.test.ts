import pg from 'pg';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { openQueue } from '../../src/queue/queue.ts';
import { openServerPool } from '../../src/store/connection/server.ts';
import type { SqlPool } from '../../src/store/connection/sql-pool.ts';
import { createStore } from '../../src/store/store.ts';
import { createDatabase } from '../support/server-database.ts';
import { describeOnServer } from '../support/servers.ts';

const logger = pino({ level: 'silent' });

async function openAndCloseQueue(pool: SqlPool): Promise<void> {
  const { queue } = await openQueue({ pool }, { logger });
  await queue.ping();
  await queue.close();
}

describeOnServer('a start on an empty database', (serverUrl) => {
  it.each([
    ['bullmq', openAndCloseQueue],
    ['steward', createStore],
  ])('goes on where another process creates the schema %s at the same moment', async (schema, open) => {
    const database = await createDatabase(serverUrl);
    const [other, watcher] = [new pg.Client(database.url), new pg.Client(database.url)];
    await Promise.all([other.connect(), watcher.connect()]);
    const pool = await openServerPool({ databaseUrl: database.url, logger });
    await other.query('begin');
    await other.query(`create schema ${schema}`);
    const opening = open(pool);
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await vi.waitFor(async () => expect((await watcher.query(waiting)).rows).not.toEqual([]), { timeout: 60_000 });
    await other.query('commit');
    await opening;
    await Promise.all([other.end(), watcher.end(), pool.end()]);
    await database.drop();
  });
});
