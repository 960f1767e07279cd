import { pauseOperations, statusOperation } from '../domain/outbox.ts';
import type { RunnerParts } from './context.ts';

/** Shows a run as it stands now: its status message, its newest card and what reminded of it. */
export async function showRun(deps: RunnerParts, runId: string): Promise<void> {
  deps.sender.sendSoon(statusOperation(runId));
  await showCard(deps, runId);
}

/** The same for a run that somebody has just stopped, and who watches for what comes of it. */
export async function showStopped(deps: RunnerParts, runId: string): Promise<void> {
  deps.sender.sendNow(statusOperation(runId));
  await showCard(deps, runId);
}

async function showCard(deps: RunnerParts, runId: string): Promise<void> {
  const pause = await deps.store.pauses.latestOf(runId);
  if (!pause) return;
  for (const operationId of pauseOperations(pause.id)) deps.sender.sendSoon(operationId);
}

/** The thread's next run may start now, and its status message no longer says that it waits. */
export async function showPromoted(deps: RunnerParts, promotedRunId: string | null): Promise<void> {
  if (promotedRunId === null) return;
  deps.sender.sendSoon(statusOperation(promotedRunId));
  await deps.enqueuer.addById(promotedRunId);
}
