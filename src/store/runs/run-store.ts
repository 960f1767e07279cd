import type { GroupCommit } from '../../async/group-commit.ts';
import type { AdmittedRun, NewRun, RunStore } from '../../domain/ports/store.ts';
import { type Db, listOf, msAgo, NOW, transact } from '../database.ts';
import { lockThreads, promoteNext, strandedThreads } from '../threads.ts';
import { chooseForRun, requestStop, resumeRun } from './act-on-run.ts';
import { claimLeg, lostLegs } from './claim-leg.ts';
import { endLeg } from './end-run.ts';
import { pauseLeg, releaseLeg } from './leave-leg.ts';
import { createLegWrites } from './leg-writes.ts';
import { createReadRuns } from './read-runs.ts';
import { markSent, recheckSent, settleLeg } from './tell-planner.ts';

/** Runs and their legs. Requests go in through `admission`, which stores those that arrive together at once. */
export function createRunStore(db: Db, admission: GroupCommit<NewRun, AdmittedRun>): RunStore {
  return {
    ...createReadRuns(db),
    ...createLegWrites(db),
    ...createRunSweep(db),
    admit: (request) => admission.submit(request),
    claimLeg: (runId, owner) => claimLeg(db, runId, owner),
    releaseLeg: (leg) => releaseLeg(db, leg),
    markSent: (leg, sending) => markSent(db, leg, sending),
    recheckSent: (leg, recheck) => recheckSent(db, leg, recheck),
    settle: (leg) => settleLeg(db, leg),
    endLeg: (leg, end) => endLeg(db, leg, end),
    pauseLeg: (leg, paused) => pauseLeg(db, leg, paused),
    requestStop: (runId, actorId) => requestStop(db, runId, actorId),
    resume: (runId, resuming) => resumeRun(db, runId, resuming),
    choose: (runId, choice, successor) => chooseForRun(db, runId, { choice, successor }),
  };
}

type RunSweep = Pick<RunStore, 'needingJob' | 'markEnqueued' | 'lostLegs' | 'promoteStranded'>;

/** What the sweep asks for, to repair what a crash left between two steps. */
function createRunSweep(db: Db): RunSweep {
  return {
    async needingJob(olderThanMs, limit) {
      const rows = await db
        .selectFrom('runs')
        .select('id')
        .where('state', '=', 'queued')
        .where('is_current', '=', true)
        .where((is) => is.or([is('enqueued_at', 'is', null), is('enqueued_at', '<=', msAgo(olderThanMs))]))
        .orderBy('queued_at')
        .orderBy('seq')
        .limit(limit)
        .execute();
      return rows.map((row) => row.id);
    },
    async markEnqueued(runIds) {
      await db
        .updateTable('runs')
        .set({ enqueued_at: NOW })
        .where('id', 'in', listOf(runIds))
        .where('state', '=', 'queued')
        .execute();
    },
    lostLegs: (olderThanMs, limit) => lostLegs(db, { olderThanMs, limit }),
    async promoteStranded(limit) {
      const threads = await strandedThreads(db, limit);
      if (threads.length === 0) return [];
      return transact(db, async (trx) => {
        await lockThreads(trx, threads);
        return promoteNext(trx, threads);
      });
    },
  };
}
