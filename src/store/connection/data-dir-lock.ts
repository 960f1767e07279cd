import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { errorMessage, StewardError } from '../../errors.ts';
import { processStart } from './process-identity.ts';

/** How often the holder touches its lock, and how old a lock of another host may be before it counts as dead. */
const BEAT_MS = 5_000;
const SILENT_MS = 20_000;

const LOCK = z.object({ id: z.string(), pid: z.number(), startedAt: z.string().nullable(), host: z.string() });
type Lock = z.infer<typeof LOCK>;

export type DataDirLock = { release(): Promise<void> };

/**
 * Takes the lock on a data directory, which is created if need be: the embedded database serves one process.
 *
 * The lock is a file that names its holder. A lock whose process is gone (dead pid, or a pid given to another process
 * since) is taken over; one of another host, whose processes cannot be seen (a container on the same volume), when it
 * has not been touched for 20 s.
 *
 * @throws StewardError `data_dir_locked`, naming the holder; `store_unavailable` when the directory cannot be written to
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const path = join(dataDir, 'steward.lock');
  const own: Lock = { id: randomUUID(), pid: process.pid, startedAt: processStart(process.pid), host: hostname() };
  // Written in full elsewhere and linked into place, so that nobody reads half of it.
  const draft = `${path}.${own.id}`;
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(draft, JSON.stringify(own));
  } catch (cause) {
    const text = `DATA_DIR ${dataDir} cannot be written to: ${errorMessage(cause)}`;
    throw new StewardError(text, { code: 'store_unavailable', retryable: false, cause });
  }
  try {
    await acquire(path, draft, dataDir);
  } finally {
    await rm(draft, { force: true });
  }
  // A beat that fails is made up for by the next.
  const beat = setInterval(() => utimes(path, new Date(), new Date()).catch(() => undefined), BEAT_MS).unref();
  return {
    async release() {
      clearInterval(beat);
      const now = await readLock(path);
      if (now !== 'unreadable' && now?.id === own.id) await rm(path, { force: true });
    },
  };
}

/**
 * Puts the draft at the path, unless a living holder has it there.
 *
 * Many processes may find the same stale lock at once. Only the holder of a second lock, named for the stale one, may
 * replace it; that lock is taken in the same way, should its own holder have died. Whoever gets it late finds that the
 * stale lock is gone and starts over.
 */
async function acquire(path: string, draft: string, dataDir: string): Promise<void> {
  while (!(await linkIfFree(draft, path))) {
    const found = await readLock(path);
    if (found === null) continue;
    if (found !== 'unreadable' && (await isHeld(found, path))) throw lockedBy(found, dataDir);
    const claim = `${path}.${nameOf(found)}`;
    await acquire(claim, draft, dataDir);
    try {
      const now = await readLock(path);
      if (now === null || nameOf(now) !== nameOf(found)) continue;
      const copy = `${draft}.final`;
      await link(draft, copy);
      await rename(copy, path);
      return;
    } finally {
      await rm(claim, { force: true });
    }
  }
}

function nameOf(lock: Lock | 'unreadable'): string {
  return lock === 'unreadable' ? lock : lock.id;
}

async function linkIfFree(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isHeld(lock: Lock, path: string): Promise<boolean> {
  if (lock.host !== hostname()) {
    const touched = await stat(path).catch(() => null);
    return touched !== null && Date.now() - touched.mtimeMs < SILENT_MS;
  }
  const startedAt = processStart(lock.pid);
  return startedAt !== null && (startedAt === lock.startedAt || startedAt === 'unknown');
}

async function readLock(path: string): Promise<Lock | 'unreadable' | null> {
  try {
    const parsed = LOCK.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data : 'unreadable';
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    if (error instanceof SyntaxError) return 'unreadable';
    throw error;
  }
}

function lockedBy(lock: Lock, dataDir: string): StewardError {
  const text =
    `DATA_DIR ${dataDir} is in use by process ${lock.pid} on ${lock.host}. The embedded database serves one process: ` +
    'stop that one, give this one another DATA_DIR, or set DATABASE_URL to share a server.';
  return new StewardError(text, { code: 'data_dir_locked', retryable: false });
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
