import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir } from '../../../../src/store/connection/data-dir-lock.ts';
import { processStart } from '../../../../src/store/connection/process-identity.ts';

async function pidOfDeadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'close');
  if (child.pid === undefined) throw new Error('The process did not start');
  return child.pid;
}

describe('the lock on a data directory', () => {
  let dataDir: string;
  let path: string;
  const writeLock = (lock: object) =>
    writeFile(path, JSON.stringify({ id: 'theirs', pid: process.pid, startedAt: null, host: hostname(), ...lock }));

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'steward-lock-'));
    path = join(dataDir, 'steward.lock');
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('names its holder, and is gone when released', async () => {
    const lock = await lockDataDir(dataDir);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    await lock.release();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('says so when the directory cannot be written to', async () => {
    await writeFile(path, 'a file where a directory should be');
    await expect(lockDataDir(join(path, 'data'))).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringMatching(/^DATA_DIR .*data cannot be written to: ENOTDIR/),
    });
  });

  it('creates the directory', async () => {
    const lock = await lockDataDir(join(dataDir, 'a', 'b'));
    expect(await readdir(join(dataDir, 'a', 'b'))).toEqual(['steward.lock']);
    await lock.release();
  });

  it('refuses a second holder and says who has it and what to do', async () => {
    const lock = await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toMatchObject({
      code: 'data_dir_locked',
      retryable: false,
      message: expect.stringMatching(new RegExp(`process ${process.pid} .*another DATA_DIR.*DATABASE_URL`)),
    });
    await lock.release();
  });

  it('is taken over from a process that is dead', async () => {
    await writeLock({ pid: await pidOfDeadProcess(), startedAt: 'some time' });
    const lock = await lockDataDir(dataDir);
    expect(await readdir(dataDir)).toEqual(['steward.lock']);
    await lock.release();
  });

  it('is taken over when its pid was given to another process since', async () => {
    await writeLock({ pid: process.pid, startedAt: 'before the restart' });
    await (await lockDataDir(dataDir)).release();
  });

  it('stays with a living process that is not this one', async () => {
    const parent = process.ppid;
    await writeLock({ pid: parent, startedAt: processStart(parent) });
    await expect(lockDataDir(dataDir)).rejects.toMatchObject({ code: 'data_dir_locked' });
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ id: 'theirs' });
  });

  it('stays with another host that has touched it lately, and is taken over from a silent one', async () => {
    await writeLock({ host: 'another-host', pid: 1, startedAt: 'x' });
    await expect(lockDataDir(dataDir)).rejects.toMatchObject({ message: expect.stringContaining('another-host') });
    const aMinuteAgo = new Date(Date.now() - 60_000);
    await utimes(path, aMinuteAgo, aMinuteAgo);
    await (await lockDataDir(dataDir)).release();
  });

  it('is taken over when nothing can be read in it', async () => {
    await writeFile(path, '{"pid":');
    await (await lockDataDir(dataDir)).release();
  });

  it('goes to exactly one of many who find a stale one at once', async () => {
    await writeLock({ pid: await pidOfDeadProcess(), startedAt: 'some time' });
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(dataDir)));
    const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(won).toHaveLength(1);
    await won[0]?.value.release();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('is not removed by a holder that has lost it', async () => {
    const lock = await lockDataDir(dataDir);
    await writeLock({ id: 'new holder' });
    await lock.release();
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ id: 'new holder' });
  });
});

describe('the start of a process', () => {
  it('is the same for the same process and null for none', async () => {
    expect(processStart(process.pid)).toBe(processStart(process.pid));
    expect(processStart(process.pid)).not.toBe(processStart(process.ppid));
    expect(processStart(await pidOfDeadProcess())).toBeNull();
  });
});
