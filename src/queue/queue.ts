import type { Logger } from '../domain/ports/logger.ts';
import type { JobHandlers, RunQueue, RunWorker } from '../domain/ports/queue.ts';
import { openBackend, type QueueBackend, type QueuePlace } from './backend.ts';
import { withinDeadline } from './deadline.ts';
import { legJob, type NewJob, pauseCheckJob, QUEUE_NAME } from './jobs.ts';
import { startRunWorker, type WorkerOptions } from './worker.ts';

export type OpenQueueOptions = {
  logger: Logger;
  /** The queue's name; another one is another queue. Default `steward-runs`. */
  name?: string;
  /** How long a silent worker keeps its jobs; they run again up to twice as long after it was killed. Default 20 s. */
  lockMs?: number;
  /**
   * Sets the legs' jobs of this process apart from those of the one before, which it may have died with: these keep
   * their locks for a while. For a process that has the queue to itself. Default none.
   */
  lifetime?: string;
  nowMs?: () => number;
};

export type OpenQueue = {
  queue: RunQueue;
  startWorker(handlers: JobHandlers, options: WorkerOptions): RunWorker;
};

/**
 * Opens the queue of runs, on Redis or in the database.
 *
 * A Redis that is away does not keep it from opening: requests are accepted meanwhile, because the database is the
 * truth, and the sweep adds their jobs later. A database must answer. Workers are closed before the queue, and the
 * pool, which stays its owner's, after both.
 */
export async function openQueue(place: QueuePlace, options: OpenQueueOptions): Promise<OpenQueue> {
  const { logger, name = QUEUE_NAME, lockMs = 20_000, nowMs = Date.now } = options;
  const backend = await openBackend(place, { name, logger, lockMs });
  return {
    queue: createRunQueue(backend, { nowMs, lifetime: options.lifetime }),
    startWorker: (handlers, workerOptions) => startRunWorker(backend, handlers, workerOptions),
  };
}

function createRunQueue(
  { producer, patienceMs }: QueueBackend,
  { nowMs, lifetime }: { nowMs: () => number; lifetime: string | undefined },
): RunQueue {
  const add = async (jobs: NewJob[]) => {
    if (jobs.length > 0) await withinDeadline(producer.addBulk(jobs), patienceMs);
  };
  const depth = () => withinDeadline(producer.getWaitingCount(), patienceMs);
  return {
    addLegs: (legs) => add(legs.map((leg) => legJob(leg, lifetime))),
    addPauseCheck: (runId, delayMs) => add([pauseCheckJob(runId, { delayMs, nowMs: nowMs() })]),
    depth,
    // A count needs the server's answer, whatever it says.
    ping: async () => void (await depth()),
    close: () => producer.close(),
  };
}
