import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../domain/ports/logger.ts';
import { StewardError } from '../../errors.ts';

/** How much of a failed child's output goes into the error. */
const OUTPUT_CHARS = 2_000;

const UNFINISHED = 'database.unfinished-';

/**
 * The database's directory inside DATA_DIR, created first if there is none.
 *
 * It is created beside its place and renamed when complete, so that a kill in the middle leaves nothing half made. The
 * caller holds the lock on DATA_DIR: what a killed creation left behind is nobody's.
 */
export async function ensureDatabase(dataDir: string, logger: Logger): Promise<string> {
  const directory = join(dataDir, 'database');
  if (existsSync(join(directory, 'PG_VERSION'))) return directory;
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(UNFINISHED)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  // A name of its own each time: the child of a process that was killed may still be writing to its last.
  const unfinished = await mkdtemp(join(dataDir, UNFINISHED));
  logger.info({ directory }, 'database_creating');
  await createInChild(unfinished);
  await rename(unfinished, directory);
  return directory;
}

function createInChild(directory: string): Promise<void> {
  const script = fileURLToPath(new URL('./embedded-create.mjs', import.meta.url));
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, [script, directory], { stdio: ['pipe', 'ignore', 'pipe'], env });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARS);
    });
    child.on('error', (cause) => reject(creationFailed(cause.message, cause)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(creationFailed(`${signal ?? `exit code ${code}`}. ${output}`));
    });
  });
}

function creationFailed(reason: string, cause?: unknown): StewardError {
  const text = `The embedded database could not be created: ${reason.trim()} Check that DATA_DIR is writable and has room.`;
  return new StewardError(text, { code: 'store_unavailable', retryable: false, cause });
}
