import type { BulkJobOptions } from 'bullmq';

/** The one queue of all processes. On Redis its keys stand under `bull:steward-runs:`. */
export const QUEUE_NAME = 'steward-runs';

export type JobName = 'leg' | 'pause-check';

/** Jobs carry the run's id and nothing else: what to do is in the database. */
export type JobData = { runId: string };

export type NewJob = { name: JobName; data: JobData; opts: BulkJobOptions & { jobId: string } };

/**
 * Attempts of a job whose handler throws, 1, 2, 4 and 8 s apart. A job that used them up is dropped: the sweep adds it
 * again while its run needs one.
 */
const OPTIONS = {
  attempts: 5,
  backoff: { type: 'exponential', delay: 1_000 },
  // The same job id is ignored only while the first is stored, so that it can be added again once it is done.
  removeOnComplete: true,
  removeOnFail: true,
} as const;

/**
 * A run has one job per epoch: adding it again while it is stored changes nothing. With a `lifetime` that holds for the
 * jobs of this lifetime.
 */
export function legJob(leg: { runId: string; epoch: number }, lifetime?: string): NewJob {
  const jobId = ['leg', leg.runId, leg.epoch, lifetime].filter((part) => part !== undefined).join('-');
  return { name: 'leg', data: { runId: leg.runId }, opts: { ...OPTIONS, jobId } };
}

/** A run has one job per moment at which a pause is looked at, told apart by its second: each of its pauses has its own. */
export function pauseCheckJob(runId: string, due: { delayMs: number; nowMs: number }): NewJob {
  const dueSecond = Math.ceil((due.nowMs + due.delayMs) / 1_000);
  return {
    name: 'pause-check',
    data: { runId },
    opts: { ...OPTIONS, jobId: `pause-check-${runId}-${dueSecond}`, delay: Math.max(0, due.delayMs) },
  };
}
