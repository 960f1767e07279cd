import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config } from './config.ts';
import { createId } from './domain/ids.ts';
import type { Logger } from './domain/ports/logger.ts';
import type { RunWorker } from './domain/ports/queue.ts';
import { createIntake, type Intake } from './intake/intake.ts';
import { createHttpServer, type HttpServer } from './ops/http-server.ts';
import { createMetrics } from './ops/metrics.ts';
import { createAsiOnePlanner } from './planner/asi-one/planner.ts';
import { openQueue } from './queue/queue.ts';
import { createRunner, type Runner } from './runner/runner.ts';
import { createChat } from './slack/chat.ts';
import { openEmbeddedPool } from './store/connection/embedded.ts';
import { openServerPool } from './store/connection/server.ts';
import { createStore } from './store/store.ts';

/** `intake` takes what Slack sends, `worker` runs it; both stand on one database and queue. */
export type Role = 'both' | 'intake' | 'worker';

/**
 * The whole bot. States: made (connected to database and queue) → started → stopped.
 *
 * `stop` takes no new runs, lets those under way finish within the grace time, interrupts the rest, and closes
 * everything; requests and clicks are still stored until then, for the next process to go on with.
 */
export type App = {
  readonly port: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Cuts the grace time of a stop short: the runs under way are interrupted now. */
  interruptRuns(): Promise<void>;
};

/** Wires the parts together; the one place that names concretes. @throws {StewardError} when a part cannot be opened */
export async function createApp(config: Config, options: { role?: Role; logger: Logger }): Promise<App> {
  const { logger, role = 'both' } = options;
  const pool = await (config.state.kind === 'embedded'
    ? openEmbeddedPool({ dataDir: config.state.dataDir, logger })
    : openServerPool({ databaseUrl: config.state.databaseUrl, logger }));
  const store = await createStore(pool);
  const { queue, startWorker } = await openQueue(config.redisUrl ? { redisUrl: config.redisUrl } : { pool }, {
    logger,
  });
  const metrics = createMetrics({ store, queue });
  const planner = createAsiOnePlanner({ ...config.planner, logger });
  const chat = createChat({
    token: config.slack.botToken,
    apiUrl: config.slack.apiUrl,
    editIntervalMs: config.editIntervalMs,
    editsPerMinute: config.editsPerMinute,
    logger,
    telemetry: metrics.telemetry,
  });
  const runner = createRunner({
    store,
    queue,
    planner,
    chat,
    telemetry: metrics.telemetry,
    logger,
    createId,
    now: () => new Date(),
    settings: {
      pauseTtlMs: config.pauseTtlMs,
      runTimeoutMs: config.runTimeoutMs,
      owner: `${hostname()}:${process.pid}:${randomUUID()}`,
    },
  });
  const intake =
    role === 'worker'
      ? null
      : await createIntake({
          botToken: config.slack.botToken,
          signingSecret: config.slack.signingSecret,
          appToken: config.slack.appToken,
          apiUrl: config.slack.apiUrl,
          inbox: store.inbox,
          commands: runner.commands,
          logger,
          telemetry: metrics.telemetry,
        });
  let stopping = false;
  const http = createHttpServer({
    port: config.port,
    slackListener: intake?.httpListener ?? null,
    renderMetrics: () => metrics.render(),
    checks: [
      { name: 'database', check: () => store.ping() },
      { name: 'queue', check: () => queue.ping() },
      ...(intake ? [{ name: 'slack sockets', check: async () => intake.checkSockets() }] : []),
      {
        name: 'process',
        async check() {
          if (stopping) throw new Error('is stopping');
        },
      },
    ],
    logger,
  });
  let worker: RunWorker | null = null;

  return {
    get port() {
      return http.port;
    },
    async start() {
      runner.start(repairs(store, intake));
      if (role !== 'intake') {
        worker = startWorker(runner.handlers, { concurrency: config.workerConcurrency, logger });
      }
      await http.start();
      await intake?.start();
      logger.info({ role, port: http.port, state: config.state.kind, redis: config.redisUrl !== null }, 'started');
    },
    interruptRuns: () => runner.finishLegs(0),
    async stop() {
      stopping = true;
      await worker?.pause();
      await runner.finishLegs(config.shutdownGraceMs);
      await closeAll({ intake, http, worker, runner });
      await queue.close();
      await planner.close();
      await chat.close();
      await store.close();
      logger.info('stopped');
    },
  };
}

/** Keeps deliveries long enough to recognise any that Slack repeats; its last retries come a day later. */
const INBOX_KEEP_MS = 7 * 24 * 60 * 60 * 1000;

function repairs(store: Awaited<ReturnType<typeof createStore>>, intake: Intake | null) {
  const prune = () => store.inbox.prune(new Date(Date.now() - INBOX_KEEP_MS));
  return intake ? [() => intake.replay(), prune] : [prune];
}

/** In the order of the flow: first what lets work in, last what carries it out. */
async function closeAll(parts: {
  intake: Intake | null;
  http: HttpServer;
  worker: RunWorker | null;
  runner: Runner;
}): Promise<void> {
  await parts.intake?.stop();
  await parts.http.stop();
  await parts.worker?.close();
  await parts.runner.stop();
}
