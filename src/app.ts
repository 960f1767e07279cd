import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type AckPressure, createAckPressure } from './async/ack-pressure.ts';
import type { Config } from './config.ts';
import { createId } from './domain/ids.ts';
import type { Logger } from './domain/ports/logger.ts';
import type { RunWorker } from './domain/ports/queue.ts';
import type { Store } from './domain/ports/store.ts';
import { StewardError } from './errors.ts';
import { createIntake, type Intake } from './intake/intake.ts';
import { createHttpServer } from './ops/http-server.ts';
import { createMetrics, type Metrics } from './ops/metrics.ts';
import type { Checks } from './ops/readiness.ts';
import { createAsiOnePlanner } from './planner/asi-one/planner.ts';
import { auditPolicy } from './policy/audited-policy.ts';
import { createPolicyHolder, type PolicyHolder } from './policy/policy-holder.ts';
import { policyFromApprovers } from './policy/short-form.ts';
import { type OpenQueue, openQueue } from './queue/queue.ts';
import { createRunner, type Runner } from './runner/runner.ts';
import { createChat, type SlackChat } from './slack/chat.ts';
import { checkAccess } from './slack/check-access.ts';
import { OPEN_SOCKET, toSlackError } from './slack/map-error.ts';
import { createSdkLogger } from './slack/sdk-logger.ts';
import type { SqlPool } from './store/connection/sql-pool.ts';
import { createStore } from './store/store.ts';

/** `intake` takes what Slack sends, `worker` runs it; both stand on one database and queue. */
export type Role = 'both' | 'intake' | 'worker';

/**
 * The whole bot. States: made (connected to database and queue) → started → stopped.
 *
 * `stop` begins no more runs, lets those under way finish within the grace time, interrupts the rest, and closes
 * everything; requests and clicks are still stored until then, for the next process to go on with.
 */
export type App = {
  /** Resolves with the HTTP port. @throws {ConfigError} before anything is begun, when Slack refuses the tokens */
  start(): Promise<number>;
  stop(): Promise<void>;
  /** Cuts the grace time of a stop short: the runs under way are interrupted now. */
  interruptRuns(): Promise<void>;
  /** Reads the policy file again. A bad one is logged, and the policy before it stays in force. */
  reloadPolicy(): Promise<void>;
};

export type AppOptions = {
  /** Default `both`. */
  role?: Role;
  /** The open database; it belongs to the app from here on. */
  pool: SqlPool;
  logger: Logger;
  /** Called when the embedded database has died under the process: nothing works any more, only a new process helps. */
  onLost?: (error: unknown) => void;
};

/** Deliveries are kept long enough to recognise any that Slack repeats; its last retries come a day later. */
const INBOX_KEEP_MS = 7 * 24 * 60 * 60 * 1000;

/** Wires the parts together; the one place that names concretes. @throws {StewardError} when a part cannot be opened */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const { logger, role = 'both' } = options;
  const { pauseTtlMs, runTimeoutMs, retypeAbove } = config;
  const policyFile = await openPolicy(config, logger);
  const { store, queue, startWorker } = await openState(config, options);
  const policy = await auditPolicy(policyFile, { audit: store.audit, logger });
  const metrics = createMetrics({ store, queue, logger });
  const outer = {
    planner: createAsiOnePlanner({ ...config.planner, logger }),
    chat: openChat(config, metrics, logger),
  };
  const pressure = createAckPressure();
  const runner = createRunner({
    ...outer,
    people: outer.chat.people,
    policy: policy.current,
    store,
    queue,
    telemetry: metrics,
    logger,
    createId,
    giveWay: pressure.giveWay,
    now: () => new Date(),
    settings: { pauseTtlMs, runTimeoutMs, retypeAbove, owner: `${hostname()}:${process.pid}:${randomUUID()}` },
  });
  const intake =
    role === 'worker' ? null : openIntake(config, { store, runner, metrics, pressure, logger, chat: outer.chat });
  let stopping = false;
  const http = createHttpServer({
    port: config.port,
    slackListener: intake?.httpListener ?? null,
    renderMetrics: () => metrics.render(),
    checks: readiness({ store, queue, intake, isStopping: () => stopping }),
    logger,
  });
  let worker: RunWorker | null = null;

  return {
    async start() {
      const { appToken, apiUrl } = config.slack;
      const { identity } = outer.chat;
      await checkAccess({ identity, appToken: role === 'worker' ? null : appToken, apiUrl, logger });
      // The lock on DATA_DIR says that nobody else is there.
      const isAlone = config.state.kind === 'embedded';
      if (isAlone) await runner.takeOver();
      runner.start(repairs(store, intake));
      if (role !== 'intake') worker = startWorker(runner.handlers, { concurrency: config.workerConcurrency, logger });
      // Begun before anything new is taken, so that a thread keeps its order; not waited for, as Slack may be away.
      if (isAlone) intake?.takeOver().catch((error: unknown) => logger.warn({ err: error }, 'inbox_not_taken_over'));
      const port = await http.start();
      await intake?.start();
      logger.info({ role, port, state: config.state.kind, redis: config.redisUrl !== null }, 'started');
      return port;
    },
    interruptRuns: () => runner.finishLegs(0),
    reloadPolicy: () => reloadPolicy({ policy, runner, logger }),
    async stop() {
      stopping = true;
      await worker?.pause();
      await runner.finishLegs(config.shutdownGraceMs);
      // In the order of the flow: first what lets work in, last what carries it out.
      const closing = [intake?.stop, http.stop, worker?.close, runner.stop, queue.close, outer.planner.close];
      for (const close of [...closing, outer.chat.close, store.close]) await close?.();
      logger.info('stopped');
    },
  };
}

function openPolicy({ policyFile: path, paymentApprovers }: Config, logger: Logger): Promise<PolicyHolder> {
  return createPolicyHolder({ path, fallback: policyFromApprovers(paymentApprovers), logger });
}

/** The new policy is in force whether or not the cards can be drawn anew just now. */
async function reloadPolicy(parts: { policy: PolicyHolder; runner: Runner; logger: Logger }): Promise<void> {
  const outcome = await parts.policy.reload();
  if (outcome.kind !== 'loaded' || !outcome.isChanged) return;
  await parts.runner.redrawPayments().catch((error: unknown) => {
    parts.logger.warn({ err: error }, 'payments_not_redrawn');
  });
}

async function openState(config: Config, options: AppOptions): Promise<OpenQueue & { store: Store }> {
  const { pool, logger, onLost } = options;
  pool.on('error', (error) => {
    if (error instanceof StewardError && !error.retryable) onLost?.(error);
  });
  const store = await createStore(pool);
  const place = config.redisUrl ? { redisUrl: config.redisUrl } : { pool };
  const alone = config.state.kind === 'embedded' && { lifetime: randomUUID() };
  return { store, ...(await openQueue(place, { logger, ...alone })) };
}

function openChat(config: Config, telemetry: Metrics, logger: Logger) {
  const { editIntervalMs, editsPerMinute, slack } = config;
  return createChat({ token: slack.botToken, apiUrl: slack.apiUrl, editIntervalMs, editsPerMinute, logger, telemetry });
}

function openIntake(
  config: Config,
  parts: {
    store: Store;
    runner: Runner;
    metrics: Metrics;
    pressure: AckPressure;
    logger: Logger;
    chat: SlackChat;
  },
): Intake {
  const { store, runner, metrics: telemetry, ...rest } = parts;
  return createIntake({
    ...config.slack,
    inbox: store.inbox,
    commands: runner.commands,
    sdkLogger: createSdkLogger(rest.logger),
    toSocketError: (error) => toSlackError(error, OPEN_SOCKET),
    telemetry,
    ...rest,
  });
}

function readiness(parts: {
  store: Store;
  queue: OpenQueue['queue'];
  intake: Intake | null;
  isStopping: () => boolean;
}): Checks {
  return {
    database: () => parts.store.ping(),
    queue: () => parts.queue.ping(),
    // Over HTTP there are none to be up.
    ...(parts.intake?.httpListener === null && { 'slack sockets': parts.intake.checkSockets }),
    process() {
      if (parts.isStopping()) throw new Error('The process is stopping.');
    },
  };
}

/** What the sweep sees to beyond the runner's own matters. */
function repairs(store: Store, intake: Intake | null): Array<() => Promise<unknown>> {
  const prune = () => store.inbox.prune(new Date(Date.now() - INBOX_KEEP_MS));
  return intake ? [() => intake.replay(), prune] : [prune];
}
