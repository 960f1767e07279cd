import { expirePause, remindAll } from './check-pause.ts';
import type { RunnerParts } from './context.ts';
import { closeLostLegs } from './lost-legs.ts';
import { showPromoted } from './show-change.ts';

const OUTBOX_INTERVAL_MS = 1000;
const REPAIR_INTERVAL_MS = 5000;
const BATCH = 200;

/** A queued run whose job was added this long ago and has not started it may have lost the job. */
const JOB_LOST_AFTER_MS = 60_000;

/** What a crash, a lost job or an outage left between two steps, found in the database and put right. */
async function repair(deps: RunnerParts): Promise<void> {
  const { runs, pauses } = deps.store;
  await closeLostLegs(deps);
  for (const runId of await pauses.overdue(deps.now(), BATCH)) await expirePause(deps, runId);
  await remindAll(deps);
  for (const runId of await runs.promoteStranded(BATCH)) await showPromoted(deps, runId);
  for (const runId of await runs.needingJob(JOB_LOST_AFTER_MS, BATCH)) await deps.enqueuer.addById(runId);
}

async function sendOwed(deps: RunnerParts): Promise<void> {
  for (const operationId of await deps.store.outbox.due(BATCH)) deps.sender.sendSoon(operationId);
}

/** Owns two timers until stopped: one for messages owed to Slack, a slower one for everything else. */
export type Sweep = { start(): void; stop(): Promise<void> };

export function createSweep(deps: RunnerParts, extraRepairs: ReadonlyArray<() => Promise<unknown>>): Sweep {
  const loops = [
    createLoop(deps, { intervalMs: OUTBOX_INTERVAL_MS, name: 'outbox', work: () => sendOwed(deps) }),
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
  deps: Pick<RunnerParts, 'logger'>,
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
