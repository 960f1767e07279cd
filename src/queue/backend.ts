import {
  createPostgresBackend,
  isPgPool,
  type Job,
  type JobProgress,
  type PgPool,
  type PostgresConnectionOptions,
  type PostgresQueueBackend,
  Queue,
  runMigrations,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import type { Logger } from '../domain/ports/logger.ts';
import { errorMessage } from '../errors.ts';
import type { JobData, JobName, NewJob } from './jobs.ts';

/** A node-postgres pool. BullMQ's type for it cannot be met by node-postgres' own overloads; its check can. */
export type DatabasePool = { connect(): Promise<object>; end(): Promise<void> };

/** Where the queue lives: on a Redis server, or in the database that holds everything else. */
export type QueuePlace = { redisUrl: string } | { pool: DatabasePool };

export type RunJob = Job<JobData, void, JobName>;

/** The part of a BullMQ queue that is used, the same for every place. */
export type Producer = {
  addBulk(jobs: NewJob[]): Promise<unknown>;
  getWaitingCount(): Promise<number>;
  close(): Promise<void>;
};

/** The part of a BullMQ worker that is used. */
export type Consumer = {
  pause(): Promise<void>;
  close(): Promise<void>;
  /** BullMQ's own events; all are for the log. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'stalled', listener: (jobId: string) => void): unknown;
  on(event: 'lockRenewalFailed', listener: (jobIds: string[]) => void): unknown;
  on(event: 'failed', listener: (job: RunJob | undefined, error: Error) => void): unknown;
};

export type QueueBackend = {
  producer: Producer;
  createConsumer(process: (job: RunJob) => Promise<void>, concurrency: number): Consumer;
  /** How long a producer's operation may take. */
  patienceMs: number;
};

/** A killed process' jobs run again 20 to 40 s later: its locks run out, then two checks must have seen it. */
const WORKER_OPTIONS = {
  lockDuration: 20_000,
  stalledInterval: 10_000,
  // Stalling is the process' fault, not the job's. What a repeated job may do is for the run's epoch to say.
  maxStalledCount: 1_000,
} as const satisfies Partial<WorkerOptions>;

/** BullMQ records events for readers; there are none here, so few are kept. */
const STREAMS = { streams: { events: { maxLen: 100 } } } as const;

const REDIS_PATIENCE_MS = 2_000;
const DATABASE_PATIENCE_MS = 10_000;

/** Opens the queue in its place. On a database this creates BullMQ's tables (schema `bullmq`) on first use. */
export async function openBackend(place: QueuePlace, name: string, logger: Logger): Promise<QueueBackend> {
  return 'pool' in place ? openOnDatabase(place.pool, name, logger) : openOnRedis(place.redisUrl, name, logger);
}

async function openOnDatabase(pool: DatabasePool, name: string, logger: Logger): Promise<QueueBackend> {
  if (!isPgPool(pool)) throw new TypeError('The queue needs a node-postgres pool');
  await migrate(pool);
  const queue = new Queue<
    JobData,
    void,
    JobName,
    JobData,
    void,
    JobName,
    PostgresQueueBackend,
    PostgresConnectionOptions
  >(name, { connection: pool }, createPostgresBackend);
  queue.on('error', (error) => logError(logger, error));
  return {
    producer: queue,
    createConsumer: (process, concurrency) =>
      new Worker<JobData, void, JobName, PostgresQueueBackend, JobProgress, PostgresConnectionOptions>(
        name,
        process,
        { ...WORKER_OPTIONS, connection: pool, concurrency },
        createPostgresBackend,
      ),
    patienceMs: DATABASE_PATIENCE_MS,
  };
}

async function migrate(pool: PgPool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client);
  } finally {
    client.release();
  }
}

function openOnRedis(redisUrl: string, name: string, logger: Logger): QueueBackend {
  const retryStrategy = (attempt: number) => Math.min(attempt * 200, 2_000);
  const queue = new Queue<JobData, void, JobName, JobData, void, JobName>(name, {
    ...STREAMS,
    // Without the offline queue a producer fails at once while the server is away, instead of hoarding commands.
    connection: { url: redisUrl, enableOfflineQueue: false, connectTimeout: REDIS_PATIENCE_MS, retryStrategy },
  });
  queue.on('error', (error) => logError(logger, error));
  return {
    producer: queue,
    createConsumer: (process, concurrency) =>
      new Worker<JobData, void, JobName>(name, process, {
        ...WORKER_OPTIONS,
        connection: { url: redisUrl, maxRetriesPerRequest: null, retryStrategy },
        concurrency,
      }),
    patienceMs: REDIS_PATIENCE_MS,
  };
}

function logError(logger: Logger, error: Error): void {
  logger.warn({ reason: errorMessage(error) }, 'queue_error');
}
