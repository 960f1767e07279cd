import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { openEmbeddedPool } from '../../src/store/connection/embedded.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    embeddedTemplate: string;
  }
}

/** Creates the embedded database once for the whole test run; each test file starts on a copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-template-'));
  const pool = await openEmbeddedPool({ dataDir: folder, logger: pino({ level: 'silent' }) });
  await pool.end();
  project.provide('embeddedTemplate', folder);
  return () => rm(folder, { recursive: true, force: true });
}

/** A fresh DATA_DIR with an empty database in it. */
export async function newDataDir(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'steward-test-'));
  await cp(inject('embeddedTemplate'), path, { recursive: true });
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
