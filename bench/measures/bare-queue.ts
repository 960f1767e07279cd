import { createPostgresBackend, isPgPool, Queue, Worker } from 'bullmq';

/** A queue of empty jobs with its worker. */
export type BenchQueue = {
  add(ids: readonly string[]): Promise<unknown>;
  /** Sets what is told of each job that a worker begins. */
  whenJob(listener: (id: string) => void): void;
  close(): Promise<void>;
};

const CONCURRENCY = 50;

/** BullMQ as its documentation shows it, with nothing of ours, on the same store. */
export async function openBareQueue(at: { pool: object } | { redisUrl: string }, name: string): Promise<BenchQueue> {
  let onJob = (_: string): void => {};
  const work = async (job: { id?: string | undefined }) => onJob(job.id ?? '');
  const { queue, worker } = 'pool' in at ? openOnPool(at.pool, name, work) : openOnRedis(at.redisUrl, name, work);
  const opts = { removeOnComplete: true, removeOnFail: true };
  return {
    add: (ids) => queue.addBulk(ids.map((jobId) => ({ name: 'job', data: {}, opts: { ...opts, jobId } }))),
    whenJob(listener) {
      onJob = listener;
    },
    async close() {
      await worker.close();
      await queue.obliterate({ force: true });
      await queue.close();
    },
  };
}

type Work = (job: { id?: string | undefined }) => Promise<void>;

function openOnPool(pool: object, name: string, work: Work) {
  if (!isPgPool(pool)) throw new TypeError('A node-postgres pool is needed');
  const queue = new Queue(name, { connection: pool }, createPostgresBackend);
  return {
    queue,
    worker: new Worker(name, work, { connection: pool, concurrency: CONCURRENCY }, createPostgresBackend),
  };
}

function openOnRedis(redisUrl: string, name: string, work: Work) {
  const queue = new Queue(name, { connection: { url: redisUrl } });
  const connection = { url: redisUrl, maxRetriesPerRequest: null };
  return { queue, worker: new Worker(name, work, { connection, concurrency: CONCURRENCY }) };
}
