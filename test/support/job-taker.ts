/**
 * A process that takes jobs and never finishes them, until it is killed:
 * `tsx job-taker.ts DATA_DIR|DATABASE_URL|REDIS_URL QUEUE_NAME LOCK_MS`. It says the run id of each job it takes.
 */
import { pino } from 'pino';
import { openQueue } from '../../src/queue/queue.ts';
import { openEmbeddedPool } from '../../src/store/connection/embedded.ts';
import { openServerPool } from '../../src/store/connection/server.ts';

const [, , where, name, lockMs] = process.argv;
if (!where || !name || !lockMs) throw new Error('usage: job-taker.ts WHERE QUEUE_NAME LOCK_MS');

const logger = pino({ level: 'silent' });

async function openPlace(place: string) {
  if (place.startsWith('redis:')) return { redisUrl: place };
  if (place.startsWith('postgres')) return { pool: await openServerPool({ databaseUrl: place, logger }) };
  return { pool: await openEmbeddedPool({ dataDir: place, logger }) };
}

const take = (runId: string) => {
  process.stdout.write(`${runId}\n`);
  return new Promise<void>(() => undefined);
};
const { startWorker } = await openQueue(await openPlace(where), { logger, name, lockMs: Number(lockMs) });
startWorker({ leg: take, pauseCheck: take }, { concurrency: 5, logger });
