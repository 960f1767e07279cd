import type { Logger } from '../domain/ports/logger.ts';
import type { Run } from '../domain/run.ts';
import { threadName } from '../domain/thread.ts';

/** The log of one run. */
export function runLogger(logger: Logger, run: Pick<Run, 'id' | 'thread'>): Logger {
  return logger.child({ runId: run.id, thread: threadName(run.thread) });
}
