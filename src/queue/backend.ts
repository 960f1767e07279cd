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
import type { JobData, JobName, NewJob } from './jobs.ts';

/** A node-postgres pool. BullMQ's type for it cannot be met by node-postgres' own overloads; its check can. */
type DatabasePool = { connect(): Promise<object>; end(): Promise<void> };

/** Where the queue lives: on a Redis server, or in the database that holds everything else. */
export type QueuePlace = { redisUrl: string } | { pool: DatabasePool };

/** The part of a BullMQ job that is used. */
export type RunJob = Pick<
  Job<JobData, void, JobName>,
  'id' | 'name' | 'data' | 'token' | 'attemptsMade' | 'moveToWait'
>;

/** The part of a BullMQ queue that is used, the same for every place. */
type Producer = {
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

type BackendOptions = { name: string; logger: Logger; lockMs: number };

export type QueueBackend = {
  producer: Producer;
  createConsumer(process: (job: RunJob) => Promise<void>, concurrency: number): Consumer;
  /** How long a producer's operation may take. */
  patienceMs: number;
};

/**
 * A worker renews its jobs' locks at half their length. Those of a killed process run out, and one to two checks later
 * its jobs run again.
 */
function workerOptions(lockMs: number) {
  return {
    lockDuration: lockMs,
    stalledInterval: lockMs / 2,
    // Stalling is the process' fault, not the job's. What a repeated job may do is for the run's epoch to say.
    maxStalledCount: 1_000,
  } satisfies Partial<WorkerOptions>;
}

/** BullMQ records events for readers; there are none here, so few are kept. */
const STREAMS = { streams: { events: { maxLen: 100 } } } as const;

const REDIS_PATIENCE_MS = 2_000;
const DATABASE_PATIENCE_MS = 10_000;

/** Opens the queue in its place. On a database this creates BullMQ's tables (schema `bullmq`) on first use. */
export async function openBackend(place: QueuePlace, options: BackendOptions): Promise<QueueBackend> {
  return 'pool' in place ? openOnDatabase(place.pool, options) : openOnRedis(place.redisUrl, options);
}

async function openOnDatabase(pool: DatabasePool, options: BackendOptions): Promise<QueueBackend> {
  if (!isPgPool(pool)) throw new TypeError('The queue needs a node-postgres pool');
  const { name, logger, lockMs } = options;
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
  >(name, { ...STREAMS, connection: pool }, createPostgresBackend);
  queue.on('error', (error) => logError(logger, error));
  return {
    producer: queue,
    createConsumer: (process, concurrency) =>
      new Worker<JobData, void, JobName, PostgresQueueBackend, JobProgress, PostgresConnectionOptions>(
        name,
        process,
        { ...workerOptions(lockMs), connection: pool, concurrency },
        createPostgresBackend,
      ),
    patienceMs: DATABASE_PATIENCE_MS,
  };
}

async function migrate(pool: PgPool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client).catch((error: unknown) => {
      if (!isSchemaJustMade(error)) throw error;
      return runMigrations(client);
    });
  } finally {
    client.release();
  }
}

/**
 * Of two processes that start at once on an empty database, the second one waits for BullMQ's lock inside a transaction
 * that may not see the schema which the first has just committed. The next transaction does.
 */
function isSchemaJustMade(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'pg_namespace_nspname_index';
}

function openOnRedis(redisUrl: string, options: BackendOptions): QueueBackend {
  const { name, logger, lockMs } = options;
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
        ...workerOptions(lockMs),
        connection: { url: redisUrl, maxRetriesPerRequest: null, retryStrategy },
        concurrency,
      }),
    patienceMs: REDIS_PATIENCE_MS,
  };
}

function logError(logger: Logger, error: Error): void {
  logger.warn({ err: error }, 'queue_error');
}
