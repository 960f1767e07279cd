import { describe, expect, it } from 'vitest';
import type { PlanDelta } from '../../../src/domain/planner-event.ts';
import { foldPlan } from '../../../src/plan/fold-plan.ts';
import { EMPTY_PLAN_STATE, toPlan } from '../../../src/plan/plan-state.ts';
import { agentsUsed, countByStatus, currentTask } from '../../../src/plan/selectors.ts';

const DELTA: PlanDelta = {
  phases: [
    {
      key: '0',
      tasks: [
        { key: '0', status: 'completed', title: 'Find', agent: 'Beta' },
        { key: '1', status: 'waiting_response', title: 'Old', agent: 'Alpha' },
      ],
    },
    {
      key: '1',
      tasks: [
        { key: '0', status: 'pending', title: 'Later' },
        { key: '1', status: 'waiting_response', title: 'Now', agent: 'Beta' },
        { key: '2', status: 'failed', title: 'Broken' },
      ],
    },
  ],
};
const PLAN = toPlan(foldPlan(EMPTY_PLAN_STATE, DELTA));
const NOTHING = toPlan(EMPTY_PLAN_STATE);

describe('of a plan', () => {
  it('the current task is the first running one of the latest phase', () => {
    expect(currentTask(PLAN)?.title).toBe('Now');
    expect(currentTask(NOTHING)).toBeNull();
  });

  it('the agents used are told once each, in the order of the plan', () => {
    expect(agentsUsed(PLAN)).toEqual(['Beta', 'Alpha']);
    expect(agentsUsed(NOTHING)).toEqual([]);
  });

  it('the tasks are counted by where they stand', () => {
    expect(countByStatus(PLAN)).toEqual({ pending: 1, in_progress: 2, complete: 1, error: 1 });
  });
});
