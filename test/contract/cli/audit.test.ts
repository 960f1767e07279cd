import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAuditCommand } from '../../../src/cli/audit-command.ts';
import { StewardError } from '../../../src/errors.ts';
import { openEmbeddedPool } from '../../../src/store/connection/embedded.ts';
import { createStore } from '../../../src/store/store.ts';
import { newDataDir } from '../../support/embedded-template.ts';

const logger = pino({ level: 'silent' });
const CLI = resolve(import.meta.dirname, '../../../src/cli/audit.ts');

type Outcome = { code: number; stdout: string; stderr: string };

describe('npm run audit', () => {
  let dataDir: Awaited<ReturnType<typeof newDataDir>>;
  const openPool = () => openEmbeddedPool({ dataDir: dataDir.path, logger });

  beforeAll(async () => {
    dataDir = await newDataDir();
    const store = await createStore(await openPool());
    for (const reason of ['first', '=second']) {
      await store.audit.append({ kind: 'decided', runId: 'r1', pauseId: null, actorId: 'U1', reason });
    }
    await store.close();
  });
  afterAll(() => dataDir.remove());

  async function run(args: string[], open = openPool, now = () => new Date()): Promise<Outcome> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const read = Promise.all([text(stdout), text(stderr)]);
    const code = await runAuditCommand(args, { openPool: open, stdout, stderr, now });
    stdout.end();
    stderr.end();
    const [out, err] = await read;
    return { code, stdout: out, stderr: err };
  }

  /** The command as a process of its own. */
  function runProcess(args: string[], env: Record<string, string>): Promise<Outcome> {
    const options = { env: { PATH: process.env.PATH, DATABASE_URL: '', ...env } };
    return new Promise((done) => {
      execFile(process.execPath, ['--import', 'tsx', CLI, ...args], options, (error, stdout, stderr) => {
        done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
    });
  }

  it('says that the trail holds, and how it ends', async () => {
    const { code, stdout, stderr } = await run(['verify']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^The audit trail holds: 2 rows, the last is 2 with hash [0-9a-f]{64}\n$/);
  });

  it('exports rows, and nothing else', async () => {
    const { code, stdout } = await run(['export']);
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).reason),
    ).toEqual(['first', '=second']);
    expect((await run(['export', '--format', 'csv', '--from', '2100-01-01'])).stdout.split('\r\n')).toHaveLength(2);
  });

  const SIGNED = ['--signed-off-by', 'A. Person', '--reason', 'kept for 90 days'];
  const inHundredDays = () => new Date(Date.now() + 100 * 24 * 60 * 60 * 1000);
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

  it('prunes nothing where there is nothing so old, and says so', async () => {
    const { code, stdout } = await run(['prune', '--before', '2020-01-01', ...SIGNED]);
    expect([code, stdout]).toEqual([
      0,
      'There are no rows from before 2020-01-01T00:00:00.000Z. Nothing was deleted.\n',
    ]);
    expect((await run(['verify'])).stdout).toContain('holds: 2 rows');
  });

  it('prunes no rows of today', async () => {
    expect((await run(['prune', '--before', tomorrow, ...SIGNED])).code).toBe(64);
    expect((await run(['verify'])).stdout).toContain('holds: 2 rows');
  });

  it('prunes old rows, says what it did, and leaves who signed it off', async () => {
    const { code, stdout } = await run(['prune', '--before', tomorrow, ...SIGNED], openPool, inHundredDays);
    expect([code, stdout]).toEqual([
      0,
      `2 rows from before ${tomorrow}T00:00:00.000Z were deleted, and a row signed off by A. Person stands in their place.\n`,
    ]);
    expect((await run(['verify'])).stdout).toContain('holds: 1 rows, the last is 3');
    expect(JSON.parse((await run(['export'])).stdout)).toMatchObject({
      kind: 'pruned',
      actorId: 'A. Person',
      reason: 'kept for 90 days',
    });
  });

  it('names the break and fails', async () => {
    const pool = await openPool();
    await pool.query('alter table steward.audit disable trigger user');
    await pool.query(`update steward.audit set reason = 'changed' where seq = 3`);
    await pool.end();
    const { code, stdout } = await run(['verify']);
    expect(code).toBe(1);
    expect(stdout).toBe('The audit trail is BROKEN at row 3: it was altered. 0 rows before it hold.\n');
  });

  it('prunes nothing of a trail that does not hold', async () => {
    const { code, stdout } = await run(['prune', '--before', tomorrow, ...SIGNED], openPool, inHundredDays);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/BROKEN at row 3.*\nNothing was deleted\.\n$/)]);
    expect((await run(['export'])).stdout.trim().split('\n')).toHaveLength(1);
  });

  it('shows how it is used, and opens nothing, when it was called in a wrong way', async () => {
    const { code, stdout, stderr } = await run(['verify', '--all'], () => Promise.reject(new Error('opened')));
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain('Usage:');
  });

  it('shows how it is used when it is asked, and opens nothing', async () => {
    const { code, stdout, stderr } = await run(['verify', '--help'], () => Promise.reject(new Error('opened')));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage:');
  });

  it('says that a database with which no bot was started has no trail', async () => {
    const fresh = await newDataDir();
    const { code, stderr } = await run(['verify'], () => openEmbeddedPool({ dataDir: fresh.path, logger }));
    await fresh.remove();
    expect([code, stderr]).toEqual([69, expect.stringMatching(/^The database holds no audit trail: .*\n$/)]);
  });

  it('says why the database cannot be read', async () => {
    const gone = new StewardError('PostgreSQL cannot be used', { code: 'store_unavailable', retryable: true });
    expect(await run(['verify'], () => Promise.reject(gone))).toEqual({
      code: 69,
      stdout: '',
      stderr: `${gone.message}\n`,
    });
  });

  it('runs as a command on DATA_DIR, but not while the bot does', async () => {
    const alone = await runProcess(['export'], { DATA_DIR: dataDir.path });
    expect([alone.code, alone.stderr]).toEqual([0, '']);
    expect(alone.stdout.trim().split('\n')).toHaveLength(1);
    const bot = await openPool();
    const beside = await runProcess(['verify'], { DATA_DIR: dataDir.path });
    await bot.end();
    expect([beside.code, beside.stdout]).toEqual([69, '']);
    expect(beside.stderr).toContain(`is in use by process ${process.pid}`);
  });

  it('ends with 78 when the bot could not start with these settings either', async () => {
    const { code, stderr } = await runProcess(['verify'], { DATABASE_URL: 'localhost:5432' });
    expect([code, stderr]).toEqual([78, expect.stringContaining('DATABASE_URL must be a URL')]);
  });

  it('creates no database where there is none', async () => {
    const { code, stderr } = await runProcess(['verify'], { DATA_DIR: `${dataDir.path}/nothing` });
    expect(code).toBe(69);
    expect(stderr).toContain('There is no database in DATA_DIR');
  });
});
