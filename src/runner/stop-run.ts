import type { Run } from '../domain/run.ts';
import type { RunnerParts } from './context.ts';
import { showPromoted, showStopped } from './show-change.ts';

const STOP_ALL_LIMIT = 100;

/**
 * Stops a live run: at once when it waits, by ending its planner request when it runs (here directly, in another
 * process by its next beat). Null when it was over already.
 */
export async function stopRun(deps: RunnerParts, runId: string, actorId: string): Promise<Run | null> {
  const stopping = await deps.store.runs.requestStop(runId, actorId);
  if (!stopping) return null;
  deps.logger.info({ runId, state: stopping.run.state }, 'stop_requested');
  deps.liveLegs.abortRun(runId, 'stop');
  if (stopping.ended) {
    await showStopped(deps, runId);
    await showPromoted(deps, stopping.promotedRunId);
  }
  return stopping.run;
}

/** Nobody can see a run whose thread is gone, and its requester took the request away: the same as deleting it. */
export async function stopWithoutThread(deps: RunnerParts, runId: string): Promise<void> {
  const run = await deps.store.runs.get(runId);
  if (run) await stopRun(deps, runId, run.requesterId);
}

/** Stops a person's live runs in a channel; how many. */
export async function stopAll(deps: RunnerParts, where: { actorId: string; channelId: string }): Promise<number> {
  const live = await deps.store.runs.liveOf(where.actorId, STOP_ALL_LIMIT);
  // Newest first, so that stopping the current run of a thread does not start the next one on the way.
  const stopped: Run[] = [];
  for (const run of live.filter((candidate) => candidate.thread.channelId === where.channelId)) {
    const result = await stopRun(deps, run.id, where.actorId);
    if (result) stopped.push(result);
  }
  return stopped.length;
}
