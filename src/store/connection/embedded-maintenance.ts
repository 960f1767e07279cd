import type { Logger } from '../../domain/ports/logger.ts';
import { errorMessage } from '../../errors.ts';
import type { SqlPool } from './sql-pool.ts';

/**
 * What a server's background processes do and an embedded session has nobody for: checkpoints, without which the
 * write-ahead log grows for as long as the process lives, and vacuum, without which updated rows pile up.
 */
const CHORES = [
  { sql: 'CHECKPOINT', everyMs: 5 * 60_000 },
  { sql: 'VACUUM (ANALYZE, SKIP_DATABASE_STATS)', everyMs: 30 * 60_000 },
] as const;

/** Runs the chores at their intervals until stopped. A failure is logged and tried again at the next turn. */
export function startMaintenance(
  pool: SqlPool,
  logger: Logger,
  chores: ReadonlyArray<{ sql: string; everyMs: number }> = CHORES,
): () => void {
  const timers = chores.map(({ sql, everyMs }) =>
    setInterval(() => {
      pool
        .query(sql)
        .catch((error: unknown) => logger.warn({ sql, reason: errorMessage(error) }, 'maintenance_failed'));
    }, everyMs).unref(),
  );
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
