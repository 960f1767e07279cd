import { WaitingError } from 'bullmq';
import { assertNever } from '../domain/assert-never.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { JobHandlers, RunWorker } from '../domain/ports/queue.ts';
import type { Consumer, QueueBackend, RunJob } from './backend.ts';

export type WorkerOptions = { concurrency: number; logger: Logger };

/**
 * Takes jobs and hands them to the handlers, at most `concurrency` at once.
 *
 * It owns its connections, the jobs under way and their locks. States: taking → paused → closed. A job that arrives
 * while it pauses goes back to the queue.
 */
export function startRunWorker(backend: QueueBackend, handlers: JobHandlers, options: WorkerOptions): RunWorker {
  let isPaused = false;
  const consumer = backend.createConsumer(async (job) => {
    if (isPaused) return giveBack(job);
    await runJob(job, handlers);
  }, options.concurrency);
  logEvents(consumer, options.logger);
  // BullMQ interrupts its wait for jobs by closing a connection, and reports that as an error.
  const logError = (error: unknown) => options.logger[isPaused ? 'debug' : 'warn']({ err: error }, 'queue_error');
  consumer.on('error', logError);
  return {
    async pause() {
      if (isPaused) return;
      isPaused = true;
      // It also waits for the jobs under way, which this method does not promise.
      consumer.pause().catch(logError);
    },
    async close() {
      isPaused = true;
      await consumer.close();
    },
  };
}

/** Puts a job back to where it came from, without counting an attempt. */
async function giveBack(job: RunJob): Promise<never> {
  if (job.token === undefined) throw new Error(`Job ${job.id} has no token`);
  await job.moveToWait(job.token);
  throw new WaitingError();
}

async function runJob(job: RunJob, handlers: JobHandlers): Promise<void> {
  switch (job.name) {
    case 'leg':
      return handlers.leg(job.data.runId);
    case 'pause-check':
      return handlers.pauseCheck(job.data.runId);
    default:
      return assertNever(job.name);
  }
}

function logEvents(consumer: Consumer, logger: Logger): void {
  consumer.on('stalled', (jobId) => logger.warn({ jobId }, 'job_stalled'));
  consumer.on('lockRenewalFailed', (jobIds) => logger.warn({ jobIds }, 'job_lock_lost'));
  consumer.on('failed', (job, error) =>
    logger.error({ jobId: job?.id, runId: job?.data.runId, attempt: job?.attemptsMade, err: error }, 'job_failed'),
  );
}
