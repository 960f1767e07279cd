import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir } from '../../src/store/connection/data-dir-lock.ts';
import { EmbeddedPool, openEmbeddedPool } from '../../src/store/connection/embedded.ts';
import { startEmbeddedThread } from '../../src/store/connection/embedded-socket.ts';
import { SEARCH_PATH } from '../../src/store/connection/sql-pool.ts';
import { newDataDir } from '../support/embedded-template.ts';

const QUIET = pino({ level: 'silent' });
const CREATE = fileURLToPath(new URL('../../src/store/connection/embedded-create.mjs', import.meta.url));
const WRITER = fileURLToPath(new URL('../support/embedded-writer.ts', import.meta.url));

/** Starts a process that writes rows; `committed(n)` resolves when it has said that its nth row is committed. */
function startWriter(dataDir: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', WRITER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  let last = 0;
  lines.on('line', (line) => {
    last = Number(line);
  });
  return {
    child,
    get lastCommitted() {
      return last;
    },
    async committed(count: number) {
      while (last < count) await once(lines, 'line');
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}

describe('the embedded database', () => {
  let dataDir: Awaited<ReturnType<typeof newDataDir>>;
  let pool: EmbeddedPool;

  beforeAll(async () => {
    dataDir = await newDataDir();
    pool = await openEmbeddedPool({ dataDir: dataDir.path, logger: QUIET, idleInTransactionMs: 1_000 });
    await pool.query('create table steward.item (id integer primary key, note text)');
  });
  beforeEach(() => pool.query('truncate item'));
  afterAll(async () => {
    await pool.end();
    await dataDir.remove();
  });

  const count = async () => Number((await pool.query('select count(*) from steward.item')).rows[0].count);

  it('gives the values that a server gives', async () => {
    const { rows } = await pool.query(
      `select 9007199254740993::bigint as big, 1.10::numeric as amount, '2026-01-02T03:04:05.678Z'::timestamptz as at,
        '{"a":[1]}'::jsonb as json, array['x', null] as list, null as nothing, $1::text as text`,
      ['ünï'],
    );
    expect(rows[0]).toEqual({
      big: '9007199254740993',
      amount: '1.10',
      at: new Date('2026-01-02T03:04:05.678Z'),
      json: { a: [1] },
      list: ['x', null],
      nothing: null,
      text: 'ünï',
    });
  });

  it('looks for names in our schema, then in the queue’s', async () => {
    const { rows } = await pool.query('show search_path');
    expect(rows[0].search_path).toBe(SEARCH_PATH);
  });

  it('carries megabytes in one statement, both ways', async () => {
    const note = 'ä'.repeat(3_000_000);
    await pool.query('insert into item values (1, $1)', [note]);
    const { rows } = await pool.query('select note from item');
    expect(rows[0].note === note).toBe(true);
  });

  it('says which constraint a statement broke, and goes on', async () => {
    await pool.query('insert into item values (1)');
    await expect(pool.query('insert into item values (1)')).rejects.toMatchObject({
      code: '23505',
      constraint: 'item_pkey',
      detail: expect.stringContaining('(id)=(1)'),
    });
    expect(await count()).toBe(1);
  });

  it('shows nobody the inside of a transaction', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query('insert into item values (1)');
    const seen = count();
    await client.query('rollback');
    client.release();
    expect(await seen).toBe(0);
  });

  it('runs transactions that begin at once one after the other', async () => {
    await pool.query('insert into item values (1, 0)');
    const addOne = async () => {
      const client = await pool.connect();
      await client.query('begin');
      const { rows } = await client.query('select note::int as n from item');
      await client.query('update item set note = $1', [rows[0].n + 1]);
      await client.query('commit');
      client.release();
    };
    await Promise.all(Array.from({ length: 30 }, addOne));
    expect((await pool.query('select note from item')).rows[0].note).toBe('30');
  });

  it('rolls back what a destroyed connection left open', async () => {
    const client = await pool.connect();
    await client.query('begin');
    await client.query('insert into item values (1)');
    client.release(true);
    expect(await count()).toBe(0);
  });

  it('rolls back a transaction that waits too long for its next statement, and tells its owner', async () => {
    const client = await pool.connect();
    const lost = once(client, 'error');
    await client.query('begin');
    await client.query('insert into item values (1)');
    expect(await count()).toBe(0);
    expect((await lost)[0]).toMatchObject({ code: '25P03' });
    client.release(true);
  });

  it('brings notifications to a listening connection, which holds nobody up', async () => {
    const listener = await pool.connect();
    await listener.query('-- behind a comment\nlisten news');
    const told = once(listener, 'notification');
    await pool.query(`select pg_notify('news', 'hello')`);
    expect((await told)[0]).toMatchObject({ channel: 'news', payload: 'hello' });
    const client = await pool.connect();
    await client.query('begin');
    await client.query('commit');
    client.release();
    listener.release(true);
  });

  it('serves more callers at once than it has connections', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, id) => pool.query('insert into item values ($1)', [id])));
    expect(await count()).toBe(200);
  });

  it('keeps the event loop free while a query runs', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    await pool.query('select count(*) from generate_series(1, 3000000)');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('keeps what was committed when it is ended and opened again', async () => {
    await pool.query('insert into item values (1)');
    await pool.end();
    pool = await openEmbeddedPool({ dataDir: dataDir.path, logger: QUIET, idleInTransactionMs: 1_000 });
    expect(await count()).toBe(1);
  });

  it('ends though a connection was never released', async () => {
    const other = await newDataDir();
    const forgetful = await openEmbeddedPool({ dataDir: other.path, logger: QUIET });
    await (await forgetful.connect()).query('begin');
    await forgetful.end();
    await expect(forgetful.query('select 1')).rejects.toThrow();
    await (await lockDataDir(other.path)).release();
    await other.remove();
  });

  it('keeps its log and its tables from growing', async () => {
    const own = await newDataDir();
    const intervals = { checkpointEveryMs: 50, vacuumEveryMs: 50 };
    const tended = await openEmbeddedPool({ dataDir: own.path, logger: QUIET, maintenance: intervals });
    await tended.query('create table worn as select n from generate_series(1, 2000) as n');
    await tended.query('update worn set n = -n');
    const state = async () => {
      const { rows } =
        await tended.query(`select (select vacuum_count from pg_stat_user_tables where relname = 'worn')::int as vacuums,
        (select pg_current_wal_insert_lsn() - redo_lsn from pg_control_checkpoint())::int as behind`);
      return rows[0];
    };
    await expect.poll(async () => (await state()).vacuums, { timeout: 20_000 }).toBeGreaterThan(0);
    await expect.poll(async () => (await state()).behind, { timeout: 20_000 }).toBeLessThan(20_000);
    await tended.end();
    await own.remove();
  });

  it('refuses a second process on its directory', async () => {
    await expect(openEmbeddedPool({ dataDir: dataDir.path, logger: QUIET })).rejects.toMatchObject({
      code: 'data_dir_locked',
      message: expect.stringContaining(String(process.pid)),
    });
  });
});

describe('a database thread that dies', () => {
  it('fails what is under way and what comes later, and says so', async () => {
    const dataDir = await newDataDir();
    const lock = await lockDataDir(dataDir.path);
    const directory = join(dataDir.path, 'database');
    const thread = await startEmbeddedThread({ directory, searchPath: SEARCH_PATH, idleInTransactionMs: 60_000 });
    const pool = new EmbeddedPool({ thread, lock, logger: QUIET });
    const told = once(pool, 'error');
    const client = await pool.connect();
    const underWay = client
      .query('select count(*) from generate_series(1, 100000000)')
      .catch((error: unknown) => error);
    await thread.kill();
    expect(await underWay).toMatchObject({ code: 'store_unavailable' });
    expect((await told)[0]).toMatchObject({ code: 'store_unavailable' });
    await expect(pool.query('select 1')).rejects.toMatchObject({ code: 'store_unavailable' });
    client.release();
    await pool.end();
    await dataDir.remove();
  });

  it('says why a database that cannot be read does not open, and frees the directory', async () => {
    const dataDir = await newDataDir();
    await rm(join(dataDir.path, 'database', 'global'), { recursive: true });
    await expect(openEmbeddedPool({ dataDir: dataDir.path, logger: QUIET })).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    await (await lockDataDir(dataDir.path)).release();
    await dataDir.remove();
  });
});

describe('a process with an embedded database that is killed', { timeout: 90_000 }, () => {
  it('has kept every row that it was told was committed, and leaves the directory usable', async () => {
    const dataDir = await newDataDir();
    for (let round = 0; round < 2; round++) {
      const writer = startWriter(dataDir.path);
      await writer.committed(50);
      await kill(writer.child);
      const pool = await openEmbeddedPool({ dataDir: dataDir.path, logger: QUIET });
      const { rows } = await pool.query('select max(n) as last, count(*)::int as count from steward.written');
      expect(rows[0].last).toBeGreaterThanOrEqual(writer.lastCommitted);
      expect(rows[0].count).toBe(rows[0].last);
      await pool.query('truncate steward.written');
      await pool.end();
    }
    await dataDir.remove();
  });

  it('refuses another process while it lives', async () => {
    const dataDir = await newDataDir();
    const writer = startWriter(dataDir.path);
    await writer.committed(1);
    await expect(openEmbeddedPool({ dataDir: dataDir.path, logger: QUIET })).rejects.toMatchObject({
      code: 'data_dir_locked',
      message: expect.stringContaining(`process ${writer.child.pid}`),
    });
    await kill(writer.child);
    await dataDir.remove();
  });

  it('is created whole when the signals of a stop reach all of its processes', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steward-first-stop-'));
    const child = spawn(process.execPath, [CREATE, dataDir], { stdio: ['pipe', 'ignore', 'ignore'] });
    const closed = once(child, 'close');
    while ((await readdir(dataDir)).length === 0) await new Promise(setImmediate);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
    expect(await readdir(dataDir)).toContain('PG_VERSION');
    await rm(dataDir, { recursive: true });
  });

  it('leaves nothing half made when it dies while it creates the database', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'steward-first-start-'));
    const writer = startWriter(dataDir);
    const isCreating = async () => (await readdir(dataDir)).some((name) => name.startsWith('database.unfinished'));
    while (!(await isCreating())) await new Promise(setImmediate);
    await kill(writer.child);
    expect(await readdir(dataDir)).not.toContain('database');
    const pool = await openEmbeddedPool({ dataDir, logger: QUIET });
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
    expect((await readdir(dataDir)).sort()).toEqual(['database']);
    await rm(dataDir, { recursive: true });
  });
});
