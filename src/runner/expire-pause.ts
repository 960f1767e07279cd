import type { RunnerParts } from './context.ts';
import { showPromoted, showRun } from './show-change.ts';

/** Expires a run's overdue pause: its card says so, its thread goes on. Harmless when there is none. */
export async function expirePause(deps: RunnerParts, runId: string): Promise<void> {
  const { expired, promotedRunId } = await deps.store.pauses.expire(runId, deps.now());
  if (!expired) return;
  deps.logger.info({ runId }, 'pause_expired');
  await showRun(deps, runId);
  await showPromoted(deps, promotedRunId);
}
