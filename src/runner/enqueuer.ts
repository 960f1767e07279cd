import { createGroupCommit } from '../async/group-commit.ts';
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
  const jobs = createGroupCommit<{ runId: string; epoch: number }, undefined>({ flush: addAll, maxBatch: BATCH });

  async function addAll(legs: Array<{ runId: string; epoch: number }>): Promise<undefined[]> {
    try {
      await deps.queue.addLegs(legs);
      await deps.runs.markEnqueued(legs.map(({ runId }) => runId));
    } catch (error) {
      deps.logger.warn({ err: error, runs: legs.length }, 'enqueue_failed');
    }
    return legs.map(() => undefined);
  }

  function add({ id, epoch }: Pick<Run, 'id' | 'epoch'>): void {
    void jobs.submit({ runId: id, epoch });
  }

  return {
    add,
    async addById(runId) {
      const run = await deps.runs.get(runId);
      if (run?.state === 'queued' && run.isCurrent) add(run);
    },
    drain: jobs.drain,
  };
}
