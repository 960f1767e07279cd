import fc from 'fast-check';
import { expect } from 'vitest';
import type { Leg, Store } from '../../../src/domain/ports/store.ts';
import type { ThreadRef } from '../../../src/domain/thread.ts';
import type { SqlPool } from '../../../src/store/connection/sql-pool.ts';
import { AFTER_DEADLINE, claim, decisionOn, newPause, newRun, OWNER, PLAN, resumeOne } from './build.ts';

/** Something that a process or a person does; `run` picks one of the runs there are. */
export type Step =
  | { do: 'admit'; thread: 0 | 1; key: number }
  | { do: 'claim' | 'continue' | 'release' | 'pause' | 'decide' | 'expire' | 'stop' | 'resume'; run: number }
  | { do: 'end'; run: number; state: 'completed' | 'failed' | 'interrupted' }
  | { do: 'choose'; run: number; action: 'start_over' | 'close' };

const run = fc.nat({ max: 7 });

export const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('admit'), thread: fc.constantFrom(0, 1), key: run }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('claim'), run }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pause'), run }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('continue', 'release', 'decide', 'expire', 'stop'), run }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('end'),
      run,
      state: fc.constantFrom('completed', 'failed', 'interrupted'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume'), run }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('choose'), run, action: fc.constantFrom('start_over', 'close') }),
  },
);

export type Actors = {
  threads: readonly ThreadRef[];
  take(step: Step): Promise<void>;
  /** Pauses whose decision was accepted more than once; there must be none. */
  decisionsTakenTwice(): string[];
};

/** Processes and people on two threads. They remember legs that they have lost, and use them all the same. */
export function createActors(store: Store, ...threads: [ThreadRef, ThreadRef]): Actors {
  const runIds: string[] = [];
  const legs = new Map<string, Leg>();
  const decided = new Map<string, number>();

  async function admit(step: Extract<Step, { do: 'admit' }>): Promise<void> {
    const thread = threads[step.thread];
    const admitted = await store.runs.admit(newRun({ thread, requestKey: `${thread.threadTs}-${step.key}` }));
    if (admitted.created) runIds.push(admitted.run.id);
  }

  async function decide(runId: string): Promise<void> {
    const pause = await store.pauses.latestOf(runId);
    if (!pause) return;
    const verdict = await store.pauses.decide(decisionOn(pause.id));
    if (verdict.kind === 'decided') decided.set(pause.id, (decided.get(pause.id) ?? 0) + 1);
  }

  async function choose(runId: string, action: Extract<Step, { do: 'choose' }>['action']): Promise<void> {
    const choice = { action, actorId: 'U1', at: AFTER_DEADLINE };
    const before = await store.runs.get(runId);
    if (action !== 'start_over' || !before) {
      await store.runs.choose(runId, choice);
      return;
    }
    const successor = newRun({ thread: before.thread, source: 'start_over', requestKey: `start-over:${runId}` });
    const chosen = await store.runs.choose(runId, choice, successor);
    if (chosen?.successor) runIds.push(chosen.successor.id);
  }

  async function withLeg(leg: Leg, step: Step): Promise<void> {
    if (step.do === 'end') await store.runs.endLeg(leg, { state: step.state });
    if (step.do === 'release') await store.runs.releaseLeg(leg);
    if (step.do === 'pause') await store.runs.pauseLeg(leg, { pause: newPause(), plan: PLAN, turns: [] });
    if (step.do === 'continue') {
      const next = await store.runs.continueLeg(leg, []);
      if (next) legs.set(leg.runId, next);
    }
  }

  return {
    threads,
    async take(step) {
      if (step.do === 'admit') return admit(step);
      const runId = runIds[step.run % Math.max(runIds.length, 1)];
      if (!runId) return;
      if (step.do === 'decide') return decide(runId);
      if (step.do === 'choose') return choose(runId, step.action);
      if (step.do === 'resume') await resumeOne(store.runs, runId);
      if (step.do === 'expire') await store.pauses.expire(runId, AFTER_DEADLINE);
      if (step.do === 'stop') await store.runs.requestStop(runId, 'U1');
      if (step.do === 'claim') {
        const claimed = await store.runs.claimLeg(runId, OWNER);
        if (claimed) legs.set(runId, claimed.leg);
      }
      const leg = legs.get(runId);
      if (leg) await withLeg(leg, step);
    },
    decisionsTakenTwice: () => [...decided].filter(([, times]) => times > 1).map(([pauseId]) => pauseId),
  };
}

/** Each query finds rows that must not be there. */
const VIOLATIONS: Record<string, string> = {
  'two current runs in a thread': `select thread_ts from steward.runs where is_current
    group by team_id, channel_id, thread_ts having count(*) > 1`,
  'a queued run that nobody will promote': `select id from steward.runs r where state = 'queued' and not exists
    (select from steward.runs c where c.thread_ts = r.thread_ts and c.is_current)`,
  'an open pause of a run that is not paused': `select p.id from steward.pauses p join steward.runs r on r.id = p.run_id
    where p.state = 'open' and r.state <> 'paused'`,
  'a paused run without an open pause': `select id from steward.runs r where state = 'paused' and not exists
    (select from steward.pauses p where p.run_id = r.id and p.state = 'open')`,
  'a running run without its leg': `select id from steward.runs r where state = 'running' and not exists
    (select from steward.legs l where l.run_id = r.id and l.epoch = r.epoch and l.ended_at is null)`,
  'a leg that outlived its run': `select run_id from steward.legs l join steward.runs r on r.id = l.run_id
    where l.ended_at is null and (r.state <> 'running' or l.epoch <> r.epoch)`,
  'a run over without an end, or the reverse': `select id from steward.runs
    where (ended_at is null) <> (state in ('queued', 'running', 'paused'))`,
  'a run without its status message': `select id from steward.runs r where not exists
    (select from steward.outbox o where o.operation_id = 'status-' || r.id)`,
};

export async function checkInvariants(pool: SqlPool): Promise<void> {
  const queries = Object.entries(VIOLATIONS).map(
    ([name, query]) => `select '${name}' as violation, count(*)::int as found from (${query}) rows`,
  );
  const { rows } = await pool.query(queries.join(' union all '));
  expect(rows.filter(({ found }) => found > 0)).toEqual([]);
}

/** Lets every run come to its end: whatever happened before, no thread is stuck. */
export async function finishAll(store: Store, threads: readonly ThreadRef[]): Promise<void> {
  for (const thread of threads) {
    for (;;) {
      const [current] = await store.runs.liveInThread(thread);
      if (!current) break;
      expect(current.isCurrent).toBe(true);
      if (current.state === 'paused') await store.pauses.expire(current.id, AFTER_DEADLINE);
      const leg =
        current.state === 'queued' ? (await claim(store, current.id)).leg : { runId: current.id, epoch: current.epoch };
      await store.runs.endLeg(leg, { state: 'completed' });
    }
  }
}
