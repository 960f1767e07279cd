import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_PLAN } from '../../../src/domain/plan.ts';
import type { PlanDelta, TaskDelta } from '../../../src/domain/planner-event.ts';
import { foldPlan } from '../../../src/plan/fold-plan.ts';
import { EMPTY_PLAN_STATE, fromPlan, toPlan } from '../../../src/plan/plan-state.ts';

function fold(...deltas: PlanDelta[]) {
  return toPlan(deltas.reduce(foldPlan, EMPTY_PLAN_STATE));
}

/** Folds deltas for one task, and gives that task. */
function foldOne(...tasks: Array<Omit<TaskDelta, 'key'>>) {
  const plan = fold(...tasks.map((task) => ({ phases: [{ key: '0', tasks: [{ key: '0', ...task }] }] })));
  return plan.phases[0]?.tasks[0];
}

describe('a plan', () => {
  it('without deltas is empty', () => {
    expect(fold()).toEqual(EMPTY_PLAN);
  });

  it('keeps what a delta does not say', () => {
    expect(foldOne({ title: 'Find', status: 'pending' }, { agent: 'agent1q' }, { status: 'searching_agents' })).toEqual(
      {
        key: '0',
        title: 'Find',
        status: 'in_progress',
        rawStatus: 'searching_agents',
        agent: 'agent1q',
        agentsFound: [],
        message: null,
        reply: null,
        error: null,
        tool: null,
      },
    );
  });

  it('takes the newest of what is said twice', () => {
    expect(foldOne({ title: 'Old', agentsFound: ['a', 'b'] }, { title: 'New', agentsFound: ['c'] })).toMatchObject({
      title: 'New',
      agentsFound: ['c'],
    });
  });

  it('counts its tasks and those that are done', () => {
    const tasks = ['completed', 'failed', 'skipped', 'timeout', 'pending', 'searching_agents', 'dreaming'];
    const plan = fold({ phases: [{ key: '0', tasks: tasks.map((status, i) => ({ key: String(i), status })) }] });
    expect(plan).toMatchObject({ tasksTotal: 7, tasksDone: 4, tasksOmitted: 0 });
    expect(plan.phases[0]?.tasks.map((task) => task.status)).toEqual([
      'complete',
      'error',
      'complete',
      'error',
      'pending',
      'in_progress',
      'in_progress',
    ]);
  });

  it('takes a task before its phase was heard of', () => {
    const plan = fold(
      { phases: [{ key: '3', tasks: [{ key: '1', title: 'Early' }] }] },
      { phases: [{ key: '3', title: 'Late' }] },
    );
    expect(plan.phases).toMatchObject([{ key: '3', title: 'Late', tasks: [{ title: 'Early' }] }]);
  });

  it('orders phases and tasks as people number them', () => {
    const keys = ['10', 'b', '2', '1.10', '1.2', '01', '1', 'task-10', 'task-9'];
    const plan = fold({ phases: keys.map((key) => ({ key, tasks: keys.map((task) => ({ key: task })) })) });
    const ordered = ['01', '1', '1.2', '1.10', '2', '10', 'b', 'task-9', 'task-10'];
    expect(plan.phases.map((phase) => phase.key)).toEqual(ordered);
    expect(plan.phases[0]?.tasks.map((task) => task.key)).toEqual(ordered);
  });

  it('shows a phase without a status where its tasks stand', () => {
    const status = (...words: string[]) =>
      fold({ phases: [{ key: '0', tasks: words.map((word, i) => ({ key: String(i), status: word })) }] }).phases[0]
        ?.status;
    expect(status()).toBe('pending');
    expect(status('pending', 'pending')).toBe('pending');
    expect(status('completed', 'pending')).toBe('in_progress');
    expect(status('completed', 'failed')).toBe('complete');
  });

  it('goes on from where it was stored', () => {
    const before = fold({ status: 'in_progress', phases: [{ key: '1', tasks: [{ key: '1', status: 'completed' }] }] });
    const stored = JSON.parse(JSON.stringify(before));
    const after = toPlan(
      foldPlan(fromPlan(stored), { phases: [{ key: '1', tasks: [{ key: '2', status: 'failed' }] }] }),
    );
    expect(toPlan(fromPlan(stored))).toEqual(before);
    expect(after).toMatchObject({ status: 'in_progress', tasksTotal: 2, tasksDone: 2 });
  });
});

describe('a finished task', () => {
  it.each(['completed', 'failed', 'error', 'timeout', 'skipped'])('that is %s does not go back to running', (word) => {
    const done = foldOne({ status: word });
    expect(foldOne({ status: word }, { status: 'waiting_response' })).toEqual(done);
    expect(foldOne({ status: word }, { status: 'pending' })).toEqual(done);
    expect(foldOne({ status: word }, { status: 'never heard' })).toEqual(done);
  });

  it('runs again when a new message for it arrives', () => {
    const task = foldOne({ status: 'failed', message: 'a' }, { status: 'waiting_response', message: 'b' });
    expect(task).toMatchObject({ status: 'in_progress', rawStatus: 'waiting_response', message: 'b' });
  });

  it('does not run again for a message that it had', () => {
    const task = foldOne({ status: 'failed', message: 'a' }, { status: 'waiting_response', message: 'a' });
    expect(task).toMatchObject({ status: 'error', rawStatus: 'failed' });
  });

  it('may finish in another way', () => {
    expect(foldOne({ status: 'completed' }, { status: 'failed' })).toMatchObject({ status: 'error' });
  });

  it('takes its count back when it runs again', () => {
    const again = (message: string, status: string): PlanDelta => ({
      phases: [{ key: '0', tasks: [{ key: '0', status, message }] }],
    });
    expect(fold(again('a', 'failed'), again('b', 'pending'))).toMatchObject({ tasksTotal: 1, tasksDone: 0 });
  });
});

describe('a finished phase', () => {
  const done: PlanDelta = { phases: [{ key: '0', status: 'completed', tasks: [{ key: '0', status: 'completed' }] }] };

  it('does not go back to running for a late delta', () => {
    const late: PlanDelta = { phases: [{ key: '0', status: 'in_progress', tasks: [{ key: '0', status: 'pending' }] }] };
    expect(fold(done, late)).toEqual(fold(done));
  });

  it('runs again when it is given work', () => {
    const more: PlanDelta = { phases: [{ key: '0', status: 'in_progress', tasks: [{ key: '1', status: 'pending' }] }] };
    expect(fold(done, more).phases[0]).toMatchObject({ status: 'in_progress' });
  });
});

describe('a plan that outgrows its bounds', () => {
  const tasks = (count: number) => Array.from({ length: count }, (_, i) => ({ key: String(i), status: 'pending' }));

  it('keeps 2,000 tasks and counts the rest once', () => {
    const delta: PlanDelta = { phases: [{ key: '0', tasks: tasks(10_000) }] };
    const plan = fold(delta, delta);
    expect(plan).toMatchObject({ tasksTotal: 2_000, tasksOmitted: 8_000 });
    expect(plan.phases[0]?.tasks).toHaveLength(2_000);
  });

  it('keeps 200 phases and counts the tasks of the rest', () => {
    const phases = Array.from({ length: 300 }, (_, i) => ({ key: String(i), tasks: tasks(2) }));
    const plan = fold({ phases });
    expect(plan.phases).toHaveLength(200);
    expect(plan).toMatchObject({ tasksTotal: 400, tasksOmitted: 200 });
  });

  it('still hears of the tasks that it kept', () => {
    const plan = fold(
      { phases: [{ key: '0', tasks: tasks(10_000) }] },
      { phases: [{ key: '0', tasks: [{ key: '7', status: 'failed' }] }] },
    );
    expect(plan).toMatchObject({ tasksDone: 1, tasksOmitted: 8_000 });
  });

  it('does not count its omissions again after it was stored', () => {
    const delta: PlanDelta = { phases: [{ key: '0', tasks: tasks(2_500) }] };
    expect(toPlan(foldPlan(fromPlan(fold(delta)), delta))).toMatchObject({ tasksTotal: 2_000, tasksOmitted: 500 });
  });

  it('stops counting what nobody will read', () => {
    expect(fold({ phases: [{ key: '0', tasks: tasks(40_000) }] })).toMatchObject({ tasksOmitted: 20_000 });
  });

  it('cuts long texts with an ellipsis, between characters', () => {
    const task = foldOne({ title: `${'x'.repeat(498)}👋${'y'.repeat(40_000)}`, reply: 'z'.repeat(40_000) });
    expect(task?.title).toBe(`${'x'.repeat(498)}…`);
    expect(task?.reply).toHaveLength(2_000);
    expect(task?.reply?.endsWith('z…')).toBe(true);
  });
});

const word = fc.constantFrom('pending', 'completed', 'failed', 'waiting_response', 'dreaming');
const text = fc.string({ minLength: 1, maxLength: 5 });

/** Deltas that each speak of a task or phase of their own. */
const commuting = fc
  .uniqueArray(fc.tuple(fc.nat(4), fc.nat(6)), { selector: ([phase, task]) => `${phase}/${task}`, maxLength: 20 })
  .chain((places) =>
    fc.tuple(
      ...places.map(([phase, key]) =>
        fc
          .record({ status: word, title: text, message: text, agentsFound: fc.array(text) }, { requiredKeys: [] })
          .map((said): PlanDelta => ({ phases: [{ key: String(phase), tasks: [{ key: String(key), ...said }] }] })),
      ),
    ),
  );

describe('folding', () => {
  it('gives the same plan in whatever order commuting deltas come', () => {
    const orders = commuting.chain((deltas) =>
      fc.tuple(fc.constant(deltas), fc.shuffledSubarray(deltas, { minLength: deltas.length })),
    );
    fc.assert(
      fc.property(orders, ([deltas, shuffled]) => {
        expect(fold(...shuffled)).toEqual(fold(...deltas));
      }),
    );
  });

  it('says the same when deltas come twice', () => {
    fc.assert(
      fc.property(commuting, (deltas) => {
        expect(fold(...deltas, ...deltas)).toEqual(fold(...deltas));
        expect(fold(...deltas.flatMap((delta) => [delta, delta]))).toEqual(fold(...deltas));
      }),
    );
  });

  const hostile = fc.oneof(fc.constantFrom('', ' ', '[object Object]'), fc.string({ unit: 'binary', maxLength: 900 }));
  const key = fc.oneof(fc.constantFrom('0', '1', '2', '__proto__', 'constructor', ''), hostile);
  const task = fc.record(
    {
      key,
      status: fc.oneof(word, hostile),
      title: hostile,
      agent: hostile,
      agentsFound: fc.array(hostile, { maxLength: 60 }),
      message: hostile,
      reply: hostile,
      error: hostile,
      tool: hostile,
    },
    { requiredKeys: ['key'] },
  );
  const phase = fc.record(
    { key, status: fc.oneof(word, hostile), title: hostile, reasoning: hostile, tasks: fc.array(task) },
    { requiredKeys: ['key'] },
  );
  const anything = fc.record({ status: hostile, phases: fc.array(phase) }, { requiredKeys: [] });

  it('never throws, changes no earlier state, and keeps its counts true, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 8 }), (deltas) => {
        let state = EMPTY_PLAN_STATE;
        for (const delta of deltas) {
          const before = JSON.stringify(toPlan(state));
          const next = foldPlan(state, delta);
          expect(JSON.stringify(toPlan(state))).toBe(before);
          state = next;
        }
        const plan = toPlan(state);
        const statuses = plan.phases.flatMap((phase) => phase.tasks.map((task) => task.status));
        expect(plan.tasksTotal).toBe(statuses.length);
        expect(plan.tasksDone).toBe(statuses.filter((status) => status === 'complete' || status === 'error').length);
        expect(toPlan(fromPlan(JSON.parse(JSON.stringify(plan))))).toEqual(plan);
      }),
      { numRuns: 300 },
    );
  });
});
