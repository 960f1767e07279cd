import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JobHandlers, RunWorker } from '../../src/domain/ports/queue.ts';
import { type OpenQueue, type OpenQueueOptions, openQueue } from '../../src/queue/queue.ts';
import { openEmbeddedPool } from '../../src/store/connection/embedded.ts';
import { openServerPool } from '../../src/store/connection/server.ts';
import type { SqlPool } from '../../src/store/connection/sql-pool.ts';
import { newDataDir } from '../support/embedded-template.ts';

const logger = pino({ level: 'silent' });
const TAKER = fileURLToPath(new URL('../support/job-taker.ts', import.meta.url));

/** Where a queue lives, open. `where` is how another process gets at it. */
type Place = {
  where: string;
  open(options: OpenQueueOptions): Promise<OpenQueue>;
  /** Closes what this process has open, and opens it again after `between`. */
  reopenAfter(between: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** BullMQ leaves a listener on the pool for each queue and worker; the product has one of each, this file many. */
function withManyQueues<Pool extends SqlPool>(pool: Pool): Pool {
  pool.setMaxListeners(100);
  return pool;
}

async function openEmbedded(): Promise<Place> {
  const dataDir = await newDataDir();
  const openPool = async () => withManyQueues(await openEmbeddedPool({ dataDir: dataDir.path, logger }));
  let pool = await openPool();
  return {
    where: dataDir.path,
    open: (options) => openQueue({ pool }, options),
    async reopenAfter(between) {
      await pool.end();
      await between();
      pool = await openPool();
    },
    async close() {
      await pool.end();
      await dataDir.remove();
    },
  };
}

async function openPostgres(url: string): Promise<Place> {
  const pool = withManyQueues(await openServerPool({ databaseUrl: url, logger }));
  return {
    where: url,
    open: (options) => openQueue({ pool }, options),
    reopenAfter: (between) => between(),
    close: () => pool.end(),
  };
}

async function openRedis(url: string): Promise<Place> {
  return {
    where: url,
    open: (options) => openQueue({ redisUrl: url }, options),
    reopenAfter: (between) => between(),
    close: async () => undefined,
  };
}

/** Runs the suite in one place, if there is a server for it; with `REQUIRE_SERVERS=1` there must be. */
function suiteOn(title: string, variable: string, open: (url: string) => Promise<Place>): void {
  const url = process.env[variable];
  if (url) describe(title, () => suite(() => open(url)));
  else if (process.env.REQUIRE_SERVERS === '1') {
    it(title, () => {
      throw new Error(`REQUIRE_SERVERS=1, but ${variable} is not set`);
    });
  } else describe.skip(`${title} (${variable} is not set)`, () => it('runs there too', () => undefined));
}

/** Handlers that record what they are given; `seen(n)` resolves when n jobs have arrived. */
function recordJobs(handle: (runId: string) => Promise<void> = async () => undefined) {
  const jobs: string[] = [];
  let wake = () => {};
  const record = (kind: string) => async (runId: string) => {
    jobs.push(`${kind} ${runId}`);
    wake();
    await handle(runId);
  };
  const handlers: JobHandlers = { leg: record('leg'), pauseCheck: record('pause check') };
  return {
    jobs,
    handlers,
    async seen(count: number) {
      while (jobs.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function suite(openPlace: () => Promise<Place>): void {
  let place: Place;
  const opened: OpenQueue[] = [];
  const workers: RunWorker[] = [];

  beforeAll(async () => {
    place = await openPlace();
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
    await Promise.all(opened.splice(0).map(({ queue }) => queue.close()));
  });
  afterAll(() => place.close());

  /** A queue of its own for each test. */
  async function open(options: Partial<OpenQueueOptions> = {}) {
    const own = await place.open({ logger, name: `test-${randomUUID()}`, ...options });
    opened.push(own);
    const start = (handlers: JobHandlers, concurrency = 50) => {
      const worker = own.startWorker(handlers, { concurrency, logger });
      workers.push(worker);
      return worker;
    };
    return { queue: own.queue, start };
  }

  it('brings a run’s leg and the look at its pause to their handlers', async () => {
    const { queue, start } = await open();
    const recorded = recordJobs();
    start(recorded.handlers);
    await queue.addLegs([{ runId: 'r1', epoch: 0 }]);
    await queue.addPauseCheck('r2', 0);
    await recorded.seen(2);
    expect(recorded.jobs.sort()).toEqual(['leg r1', 'pause check r2']);
  });

  it('wakes an idle worker long before its next poll', async () => {
    const { queue, start } = await open();
    const recorded = recordJobs();
    start(recorded.handlers);
    await queue.addLegs([{ runId: 'warm-up', epoch: 0 }]);
    await recorded.seen(1);
    const addedAt = Date.now();
    for (let epoch = 1; epoch <= 5; epoch++) {
      await queue.addLegs([{ runId: 'r', epoch }]);
      await recorded.seen(epoch + 1);
    }
    // Five polls would take 25 s.
    expect(Date.now() - addedAt).toBeLessThan(5_000);
  });

  it('runs a leg once that is added twice before it starts', async () => {
    const { queue, start } = await open();
    await queue.addLegs([{ runId: 'r', epoch: 3 }]);
    await queue.addLegs([
      { runId: 'r', epoch: 3 },
      { runId: 'after', epoch: 0 },
    ]);
    expect(await queue.depth()).toBe(2);
    const recorded = recordJobs();
    start(recorded.handlers, 1);
    await recorded.seen(2);
    expect(recorded.jobs).toEqual(['leg r', 'leg after']);
  });

  it('runs a leg again that is added after it was done', async () => {
    const { queue, start } = await open();
    const recorded = recordJobs();
    start(recorded.handlers, 1);
    await queue.addLegs([{ runId: 'r', epoch: 0 }]);
    await recorded.seen(1);
    // One at a time: the next job starts when the first is gone.
    await queue.addLegs([{ runId: 'other', epoch: 0 }]);
    await recorded.seen(2);
    await queue.addLegs([{ runId: 'r', epoch: 0 }]);
    await recorded.seen(3);
    expect(recorded.jobs).toEqual(['leg r', 'leg other', 'leg r']);
  });

  it('tries a job again whose handler throws', async () => {
    const { queue, start } = await open();
    let failures = 1;
    const recorded = recordJobs(async () => {
      if (failures-- > 0) throw new Error('not yet');
    });
    start(recorded.handlers);
    await queue.addLegs([{ runId: 'r', epoch: 0 }]);
    await recorded.seen(2);
    expect(recorded.jobs).toEqual(['leg r', 'leg r']);
  });

  it('holds a look at a pause back for its delay, and does not count it as waiting', async () => {
    const { queue, start } = await open();
    const recorded = recordJobs();
    start(recorded.handlers);
    const addedAt = Date.now();
    await queue.addPauseCheck('r', 1_000);
    expect(await queue.depth()).toBe(0);
    await recorded.seen(1);
    expect(Date.now() - addedAt).toBeGreaterThanOrEqual(1_000);
    expect(Date.now() - addedAt).toBeLessThan(4_000);
  });

  it('keeps the expiries of two pauses of one run apart', async () => {
    const { queue, start } = await open();
    const recorded = recordJobs();
    start(recorded.handlers);
    await queue.addPauseCheck('r', 500);
    await queue.addPauseCheck('r', 2_000);
    await recorded.seen(2);
    expect(recorded.jobs).toEqual(['pause check r', 'pause check r']);
  });

  it('runs a hundred legs at once, and no more than it may', async () => {
    const { queue, start } = await open();
    const release = deferred();
    let underWay = 0;
    let most = 0;
    const recorded = recordJobs(async () => {
      most = Math.max(most, ++underWay);
      await release.promise;
      underWay--;
    });
    start(recorded.handlers, 50);
    await queue.addLegs(Array.from({ length: 100 }, (_, index) => ({ runId: `r${index}`, epoch: 0 })));
    await recorded.seen(50);
    expect(await queue.depth()).toBe(50);
    release.resolve();
    await recorded.seen(100);
    expect(most).toBe(50);
    expect(new Set(recorded.jobs).size).toBe(100);
  });

  it('takes nothing new once paused, lets go on what is under way, and leaves the rest to others', async () => {
    const { queue, start } = await open();
    const release = deferred();
    const first = recordJobs(() => release.promise);
    const pausing = start(first.handlers);
    await queue.addLegs([{ runId: 'under-way', epoch: 0 }]);
    await first.seen(1);
    await pausing.pause();
    await queue.addLegs([{ runId: 'later', epoch: 0 }]);
    const second = recordJobs();
    start(second.handlers);
    await second.seen(1);
    release.resolve();
    await pausing.close();
    expect(first.jobs).toEqual(['leg under-way']);
    expect(second.jobs).toEqual(['leg later']);
  });

  it('waits for jobs under way when it closes', async () => {
    const { queue, start } = await open();
    const release = deferred();
    let isDone = false;
    const recorded = recordJobs(async () => {
      await release.promise;
      isDone = true;
    });
    const worker = start(recorded.handlers);
    await queue.addLegs([{ runId: 'r', epoch: 0 }]);
    await recorded.seen(1);
    const closed = worker.close();
    release.resolve();
    await closed;
    expect(isDone).toBe(true);
  });

  it('keeps the lock of a job that takes much longer than its lock lasts', async () => {
    const { queue, start } = await open({ lockMs: 1_000 });
    const recorded = recordJobs(() => new Promise((resolve) => setTimeout(resolve, 4_000)));
    start(recorded.handlers);
    const other = recordJobs();
    await queue.addLegs([{ runId: 'long', epoch: 0 }]);
    await recorded.seen(1);
    start(other.handlers);
    await workers[0]?.close();
    expect([...recorded.jobs, ...other.jobs]).toEqual(['leg long']);
  });

  it('runs a job again whose process was killed', { timeout: 90_000 }, async () => {
    const name = `test-${randomUUID()}`;
    const before = await place.open({ logger, name });
    await before.queue.addLegs([{ runId: 'r', epoch: 0 }]);
    await before.queue.close();
    await place.reopenAfter(async () => {
      const taker = spawn(process.execPath, ['--import', 'tsx', TAKER, place.where, name, '2000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(taker.stdout, 'data');
      taker.kill('SIGKILL');
      await once(taker, 'close');
    });
    const { start } = await open({ name, lockMs: 2_000 });
    const recorded = recordJobs();
    start(recorded.handlers);
    await recorded.seen(1);
    expect(recorded.jobs).toEqual(['leg r']);
  });

  it('answers a ping', async () => {
    const { queue } = await open();
    await expect(queue.ping()).resolves.toBeUndefined();
  });

  it('adds nothing for no legs', async () => {
    const { queue } = await open();
    await queue.addLegs([]);
    expect(await queue.depth()).toBe(0);
  });
}

describe('the queue on the embedded database', () => suite(openEmbedded));
suiteOn('the queue on PostgreSQL', 'TEST_DATABASE_URL', openPostgres);
suiteOn('the queue on Redis', 'TEST_REDIS_URL', openRedis);

describe('a queue whose Redis is away', () => {
  const sockets = new Set<Socket>();
  let server: Server;

  async function listen(): Promise<string> {
    server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('There is no port');
    return `redis://127.0.0.1:${address.port}`;
  }

  async function stop(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }

  async function expectRefusal(redisUrl: string): Promise<void> {
    const { queue } = await openQueue({ redisUrl }, { logger });
    const addedAt = Date.now();
    const unavailable = { code: 'queue_unavailable', retryable: true };
    await expect(queue.addLegs([{ runId: 'r', epoch: 0 }])).rejects.toMatchObject(unavailable);
    expect(Date.now() - addedAt).toBeLessThan(3_500);
    await expect(queue.ping()).rejects.toMatchObject(unavailable);
    await queue.close();
  }

  it('refuses jobs within two seconds or so when nothing listens', async () => {
    const redisUrl = await listen();
    await stop();
    await expectRefusal(redisUrl);
  });

  it('refuses jobs within two seconds or so when it never answers', async () => {
    await expectRefusal(await listen());
    await stop();
  });
});
