// How PGlite is started, in the thread that serves it and in the child that creates it. Plain JavaScript, because both
// are loaded by Node itself, which reads no TypeScript before version 22.

import { PGlite } from '@electric-sql/pglite';

/**
 * PGlite's own start parameters, with ours after them so that they win.
 *
 * - Small buffers: shared memory stays resident for good. 16 MB of buffers and 5 connection slots instead of 128 MB and
 *   100 save about 130 MB (measured 2026-11, 330 → 200 MB after 500 inserts, inserts as fast).
 * - A small write-ahead log after each checkpoint, which embedded-maintenance.ts asks for.
 * - Durability: PGlite writes its log before a commit answers, which a killed process survives. Its build has no fsync
 *   (`fdatasync` returns at once), so a power failure is not covered; a server is for that.
 *
 * @param {string} searchPath
 */
export function startParams(searchPath) {
  const settings = [
    'shared_buffers=16MB',
    'wal_buffers=1MB',
    'max_connections=5',
    'min_wal_size=32MB',
    'max_wal_size=64MB',
    `search_path=${searchPath}`,
  ];
  return [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ['-c', setting])];
}
