import { cardOperation, statusOperation } from '../domain/outbox.ts';
import { showPromoted } from './conclude-leg.ts';
import { LEG_STALE_MS } from './context.ts';
import { closeLostLeg, type RunLegDeps } from './run-leg.ts';

const OUTBOX_INTERVAL_MS = 1000;
const REPAIR_INTERVAL_MS = 5000;
const BATCH = 200;

/** A queued run whose job was added this long ago and has not started it may have lost the job. */
const JOB_LOST_AFTER_MS = 60_000;

/** Expires a run's overdue pause: its card says so, its thread goes on. Harmless when there is none. */
export async function expirePause(deps: RunLegDeps, runId: string): Promise<void> {
  const { expired, promotedRunId } = await deps.store.pauses.expire(runId, deps.now());
  if (!expired) return;
  deps.logger.info({ runId }, 'pause_expired');
  const pause = await deps.store.pauses.latestOf(runId);
  if (pause) deps.deliverer.kick(cardOperation(pause.id));
  deps.deliverer.kick(statusOperation(runId));
  await showPromoted(deps, promotedRunId);
}

/** Ends all legs and leases there are: none of them can be alive. */
export async function takeOverLegs(deps: RunLegDeps): Promise<void> {
  await deps.store.outbox.releaseAll();
  for (;;) {
    const legs = await deps.store.runs.lostLegs(0, BATCH);
    for (const leg of legs) await closeLostLeg(deps, leg);
    if (legs.length < BATCH) return;
  }
}

/** What a crash, a lost job or an outage left between two steps, found in the database and put right. */
async function repair(deps: RunLegDeps): Promise<void> {
  const { runs, pauses } = deps.store;
  for (const leg of await runs.lostLegs(LEG_STALE_MS, BATCH)) await closeLostLeg(deps, leg);
  for (const runId of await pauses.overdue(deps.now(), BATCH)) await expirePause(deps, runId);
  for (const runId of await runs.promoteStranded(BATCH)) await showPromoted(deps, runId);
  for (const runId of await runs.needingJob(JOB_LOST_AFTER_MS, BATCH)) await deps.enqueuer.addById(runId);
}

async function deliverOwed(deps: RunLegDeps): Promise<void> {
  for (const operationId of await deps.store.outbox.due(BATCH)) deps.deliverer.kick(operationId);
}

/** Owns two timers until stopped: one for messages owed to Slack, a slower one for everything else. */
export type Sweep = { start(): void; stop(): Promise<void> };

export function createSweep(deps: RunLegDeps, extraRepairs: ReadonlyArray<() => Promise<unknown>>): Sweep {
  const loops = [
    createLoop(deps, { intervalMs: OUTBOX_INTERVAL_MS, name: 'outbox', work: () => deliverOwed(deps) }),
    createLoop(deps, {
      intervalMs: REPAIR_INTERVAL_MS,
      name: 'repair',
      async work() {
        await repair(deps);
        for (const extra of extraRepairs) await extra();
      },
    }),
  ];
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Repeats work with a rest between, never two at once; a failure is logged and the next turn tries again. */
function createLoop(
  deps: Pick<RunLegDeps, 'logger'>,
  loop: { intervalMs: number; name: string; work: () => Promise<void> },
): Sweep {
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  let stopped = false;

  async function turn(): Promise<void> {
    try {
      await loop.work();
    } catch (error) {
      deps.logger.warn({ err: error, sweep: loop.name }, 'sweep_failed');
    }
    if (!stopped) timer = setTimeout(begin, loop.intervalMs);
  }

  function begin(): void {
    current = turn();
  }

  return {
    start: begin,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
