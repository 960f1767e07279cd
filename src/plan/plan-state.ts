import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { isOver, type Phase, type Plan, type Task } from '../domain/plan.ts';
import { compareKeys } from './compare-keys.ts';

export type PhaseState = Omit<Phase, 'tasks'> & { readonly tasks: PersistentMap<string, Task> };

/**
 * A plan while it is being folded. Immutable: its maps share what did not change, so that one delta costs the same
 * in a plan of ten tasks and of a thousand. Counts are kept; order is made only when a plan is drawn.
 */
export type PlanState = Readonly<{
  status: string | null;
  phases: PersistentMap<string, PhaseState>;
  tasksTotal: number;
  tasksDone: number;
  /** Names of tasks left out, to count each once. */
  omitted: PersistentSet<string>;
  /** Tasks left out before the plan was stored; their names are not kept. */
  omittedBefore: number;
}>;

export const EMPTY_PLAN_STATE: PlanState = {
  status: null,
  phases: PersistentMap(),
  tasksTotal: 0,
  tasksDone: 0,
  omitted: PersistentSet(),
  omittedBefore: 0,
};

/** The snapshot to store and draw: plain JSON, in the planner's order. Costs O(n log n). */
export function toPlan(state: PlanState): Plan {
  return {
    status: state.status,
    phases: inOrder(state.phases).map(toPhase),
    tasksTotal: state.tasksTotal,
    tasksDone: state.tasksDone,
    tasksOmitted: Math.max(state.omittedBefore, state.omitted.size),
  };
}

/** The state that goes on from a stored plan. */
export function fromPlan(plan: Plan): PlanState {
  return {
    status: plan.status,
    phases: PersistentMap(plan.phases.map((phase) => [phase.key, fromPhase(phase)])),
    tasksTotal: plan.tasksTotal,
    tasksDone: plan.tasksDone,
    omitted: PersistentSet(),
    omittedBefore: plan.tasksOmitted,
  };
}

function toPhase({ key, title, status, rawStatus, reasoning, tasks }: PhaseState): Phase {
  const ordered = inOrder(tasks);
  const shown = rawStatus === null ? statusOfTasks(ordered) : status;
  return { key, title, status: shown, rawStatus, reasoning, tasks: ordered };
}

function fromPhase(phase: Phase): PhaseState {
  return { ...phase, tasks: PersistentMap(phase.tasks.map((task) => [task.key, task])) };
}

/** A phase of which nothing was said stands where its tasks stand. */
function statusOfTasks(tasks: readonly Task[]): Phase['status'] {
  if (tasks.every((task) => task.status === 'pending')) return 'pending';
  return tasks.every((task) => isOver(task.status)) ? 'complete' : 'in_progress';
}

function inOrder<T extends { key: string }>(entries: PersistentMap<string, T>): T[] {
  return [...entries.values()].sort((a, b) => compareKeys(a.key, b.key));
}
