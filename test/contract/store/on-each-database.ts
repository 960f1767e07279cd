import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import type { Store } from '../../../src/domain/ports/store.ts';
import { openEmbeddedPool } from '../../../src/store/connection/embedded.ts';
import { openServerPool } from '../../../src/store/connection/server.ts';
import type { SqlPool } from '../../../src/store/connection/sql-pool.ts';
import { createStore } from '../../../src/store/store.ts';
import { newDataDir } from '../../support/embedded-template.ts';

const logger = pino({ level: 'silent' });

/** The audit trail is not among them: it refuses. */
const TABLES = ['approvals', 'ledger', 'legs', 'pauses', 'runs', 'outbox', 'inbox'];

/** A database of its own for one test file. `openPool` gives a further pool on it, as another process would have. */
type OpenDatabase = { pool: SqlPool; openPool: (() => Promise<SqlPool>) | null; drop: () => Promise<void> };

export type TestDatabase = {
  /** An empty store at the start of each test. */
  readonly store: Store;
  /** For looking at rows, and for moving their times. */
  readonly pool: SqlPool;
  /** The store of another process on the same database; closed after the file. Only where `isShared`. */
  openOther(): Promise<Store>;
  /** Its pool alone. */
  openOtherPool(): Promise<SqlPool>;
};

/**
 * Runs a suite on the embedded database always, and on the PostgreSQL of `TEST_DATABASE_URL` when it is set. With
 * `REQUIRE_SERVERS=1` a missing server is a failure.
 */
export function onEachDatabase(name: string, suite: (database: TestDatabase, isShared: boolean) => void): void {
  describe(`${name}, embedded`, () => suite(useDatabase(openEmbedded), false));
  const url = process.env.TEST_DATABASE_URL;
  if (url) {
    describe(`${name}, PostgreSQL`, () =>
      suite(
        useDatabase(() => openServer(url)),
        true,
      ));
  } else if (process.env.REQUIRE_SERVERS === '1') {
    it(`${name}, PostgreSQL`, () => {
      throw new Error('REQUIRE_SERVERS=1, but TEST_DATABASE_URL is not set');
    });
  } else {
    describe.skip(`${name}, PostgreSQL (TEST_DATABASE_URL is not set)`, () => {
      it('runs there too', () => undefined);
    });
  }
}

function useDatabase(open: () => Promise<OpenDatabase>): TestDatabase {
  let opened: OpenDatabase;
  let store: Store;
  const others: Store[] = [];
  const pools: SqlPool[] = [];
  beforeAll(async () => {
    opened = await open();
    store = await createStore(opened.pool);
  });
  beforeEach(async () => {
    // Faster than a truncate, which waits for the disk.
    for (const table of TABLES) await opened.pool.query(`delete from steward.${table}`);
  });
  afterAll(async () => {
    for (const other of others) await other.close();
    for (const pool of pools) await pool.end();
    await store.close();
    await opened.drop();
  });
  return {
    get store() {
      return store;
    },
    get pool() {
      return opened.pool;
    },
    async openOther() {
      if (!opened.openPool) throw new Error('The embedded database has one process');
      const other = await createStore(await opened.openPool());
      others.push(other);
      return other;
    },
    async openOtherPool() {
      if (!opened.openPool) throw new Error('The embedded database has one process');
      const pool = await opened.openPool();
      pools.push(pool);
      return pool;
    },
  };
}

async function openEmbedded(): Promise<OpenDatabase> {
  const dataDir = await newDataDir();
  const pool = await openEmbeddedPool({ dataDir: dataDir.path, logger });
  return { pool, openPool: null, drop: dataDir.remove };
}

async function openServer(url: string): Promise<OpenDatabase> {
  const database = `steward_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(url, `create database ${database}`);
  const own = new URL(url);
  own.pathname = `/${database}`;
  const openPool = () => openServerPool({ databaseUrl: own.href, logger });
  return { pool: await openPool(), openPool, drop: () => onServer(url, `drop database ${database}`) };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
