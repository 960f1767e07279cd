import { randomUUID } from 'node:crypto';
import { setTimeout as rest } from 'node:timers/promises';
import { pino } from 'pino';
import { openQueue } from '../../src/queue/queue.ts';
import { openEmbeddedPool } from '../../src/store/connection/embedded.ts';
import { openServerPool } from '../../src/store/connection/server.ts';
import type { SqlPool } from '../../src/store/connection/sql-pool.ts';
import type { Row, Section } from '../report.ts';
import type { Theatre } from '../stage/stage.ts';
import { median } from '../statistics.ts';
import { type BenchQueue, openBareQueue } from './bare-queue.ts';

const JOBS = 300;
const ROUNDS = 3;
const CONCURRENCY = 50;
const WAKE_UPS = 25;
/** Long enough for the worker to have gone idle. */
const IDLE_MS = 60;
const WAKE_UP_LIMIT_MS = 50;

const logger = pino({ level: 'silent' });

/** A place for queues; the bare and the product's queue stand side by side in it under names of their own. */
type Place = { name: string; target: boolean; at: { pool: SqlPool } | { redisUrl: string }; close(): Promise<void> };

/** Jobs per second, and how soon an idle worker starts on a job, in every place that can be reached. */
export async function measureQueues(theatre: Theatre): Promise<Section> {
  const rows: Row[] = [];
  for (const open of [() => openEmbedded(theatre), ...serverPlaces()]) {
    const place = await open();
    try {
      rows.push(...(await measurePlace(place)));
    } finally {
      await place.close();
    }
  }
  return {
    name: 'queue: jobs per second and wake-up',
    meaning: [
      `${JOBS} empty jobs added ${CONCURRENCY} at a time and worked on by ${CONCURRENCY} at once, until the last is done; and the time from adding one job to`,
      `its start by a worker that was idle (median of ${WAKE_UPS}). Beside it bare BullMQ on the same store. PostgreSQL and Redis are`,
      'measured when TEST_DATABASE_URL and TEST_REDIS_URL are set.',
    ],
    rows,
  };
}

async function openEmbedded(theatre: Theatre): Promise<Place> {
  const data = await theatre.newDataDir();
  const pool = await openEmbeddedPool({ dataDir: data.path, logger });
  return {
    name: 'embedded',
    target: true,
    at: { pool },
    async close() {
      await pool.end();
      await data.remove();
    },
  };
}

function serverPlaces(): Array<() => Promise<Place>> {
  const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = process.env;
  const places: Array<() => Promise<Place>> = [];
  if (databaseUrl) {
    places.push(async () => {
      const pool = await openServerPool({ databaseUrl, logger });
      return { name: 'PostgreSQL', target: false, at: { pool }, close: () => pool.end() };
    });
  }
  if (redisUrl) places.push(async () => ({ name: 'Redis', target: false, at: { redisUrl }, close: async () => {} }));
  return places;
}

async function measurePlace(place: Place): Promise<Row[]> {
  // The product's queue first: it creates BullMQ's tables.
  const steward = await openStewardQueue(place.at);
  const bare = await openBareQueue(place.at, `bench-bare-${randomUUID()}`);
  try {
    const rates = { steward: [] as number[], bare: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.bare.push(await jobsPerSecond(bare));
      rates.steward.push(await jobsPerSecond(steward));
    }
    return toRows(place, { rates, wakeUps: { bare: await wakeUpMs(bare), steward: await wakeUpMs(steward) } });
  } finally {
    await steward.close();
    await bare.close();
  }
}

type Results = Record<'rates' | 'wakeUps', Record<'steward' | 'bare', number[]>>;

function toRows(place: Place, { rates, wakeUps }: Results): Row[] {
  const wakeUp = median(wakeUps.steward);
  return [
    {
      name: `${place.name}: jobs per second`,
      measured: { value: median(rates.steward), unit: '/s' },
      baseline: { value: median(rates.bare), unit: '/s', of: 'bare BullMQ' },
    },
    {
      name: `${place.name}: wake-up`,
      measured: { value: wakeUp, unit: 'ms' },
      baseline: { value: median(wakeUps.bare), unit: 'ms', of: 'bare BullMQ' },
      ...(place.target ? { target: { text: `≤ ${WAKE_UP_LIMIT_MS} ms`, holds: wakeUp <= WAKE_UP_LIMIT_MS } } : {}),
    },
  ];
}

async function openStewardQueue(at: Place['at']): Promise<BenchQueue> {
  const { queue, startWorker } = await openQueue(at, { logger, name: `bench-${randomUUID()}` });
  let onJob = (_: string): void => {};
  const worker = startWorker(
    { leg: async (runId) => onJob(runId), pauseCheck: async () => {} },
    { concurrency: CONCURRENCY, logger },
  );
  return {
    add: (ids) => queue.addLegs(ids.map((runId) => ({ runId, epoch: 0 }))),
    whenJob(listener) {
      onJob = listener;
    },
    async close() {
      await worker.close();
      await queue.close();
    },
  };
}

async function jobsPerSecond(queue: BenchQueue): Promise<number> {
  const ids = Array.from({ length: JOBS }, () => randomUUID());
  let left = JOBS;
  const done = new Promise<void>((resolve) => {
    queue.whenJob(() => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
  const startedAt = performance.now();
  for (let from = 0; from < JOBS; from += CONCURRENCY) await queue.add(ids.slice(from, from + CONCURRENCY));
  await done;
  return (JOBS / (performance.now() - startedAt)) * 1_000;
}

async function wakeUpMs(queue: BenchQueue): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < WAKE_UPS; round += 1) {
    await rest(IDLE_MS);
    const started = new Promise<number>((resolve) => queue.whenJob(() => resolve(performance.now())));
    const addedAt = performance.now();
    await queue.add([randomUUID()]);
    times.push((await started) - addedAt);
  }
  return times;
}
