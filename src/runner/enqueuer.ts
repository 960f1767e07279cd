import type { Logger } from '../domain/ports/logger.ts';
import type { RunQueue } from '../domain/ports/queue.ts';
import type { RunStore } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';

const BATCH = 100;

/**
 * Hands runs to the queue, many at a time. A failed add is logged and left: the sweep finds queued runs that have no
 * job, so a queue that is down delays work and loses none.
 */
export type Enqueuer = {
  add(run: Pick<Run, 'id' | 'epoch'>): void;
  /** The same for a run of which only the id is known. */
  addById(runId: string): Promise<void>;
  /** Resolves when nothing is left to hand over. */
  drain(): Promise<void>;
};

export function createEnqueuer(deps: { queue: RunQueue; runs: RunStore; logger: Logger }): Enqueuer {
  const waiting = new Map<string, number>();
  let flushing: Promise<void> | undefined;

  async function flushOne(): Promise<void> {
    const batch = [...waiting].slice(0, BATCH).map(([runId, epoch]) => ({ runId, epoch }));
    for (const { runId } of batch) waiting.delete(runId);
    try {
      await deps.queue.addLegs(batch);
      await deps.runs.markEnqueued(batch.map(({ runId }) => runId));
    } catch (error) {
      deps.logger.warn({ err: error, runs: batch.length }, 'enqueue_failed');
    }
  }

  async function flush(): Promise<void> {
    while (waiting.size > 0) await flushOne();
    flushing = undefined;
  }

  function add(run: Pick<Run, 'id' | 'epoch'>): void {
    waiting.set(run.id, run.epoch);
    // Started in a later microtask, so that runs admitted together travel together.
    flushing ??= Promise.resolve().then(flush);
  }

  return {
    add,
    async addById(runId) {
      const run = await deps.runs.get(runId);
      if (run?.state === 'queued' && run.isCurrent) add(run);
    },
    async drain() {
      await flushing;
    },
  };
}
