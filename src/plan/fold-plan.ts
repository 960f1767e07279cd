import { Map as PersistentMap } from 'immutable';
import { isOver } from '../domain/plan.ts';
import type { PhaseDelta, PlanDelta, TaskDelta } from '../domain/planner-event.ts';
import { PLAN_BOUNDS } from './bounds.ts';
import { foldTask, mergeLabel, mergeStatus, mergeText, newTask } from './fold-task.ts';
import type { PhaseState, PlanState } from './plan-state.ts';

/**
 * The plan with one delta merged in; the old state stays as it was. The planner's reader answers for a delta's form,
 * this for what a plan may grow to. A delta costs in its own size, not in the plan's: O(log n) for each task it names.
 */
export function foldPlan(state: PlanState, delta: PlanDelta): PlanState {
  let next: PlanState = { ...state, status: mergeLabel(state.status, delta.status) };
  for (const phase of usable(delta.phases)) next = foldPhase(next, phase);
  return next;
}

function foldPhase(state: PlanState, delta: PhaseDelta): PlanState {
  const known = state.phases.get(delta.key);
  if (known === undefined && state.phases.size >= PLAN_BOUNDS.phases) return omitAll(state, delta);
  const phase = known ?? newPhase(delta.key);
  const taskDeltas = usable(delta.tasks);
  let next: PlanState = state;
  const tasks = phase.tasks.withMutations((draft) => {
    for (const task of taskDeltas) next = foldTaskInto(draft, next, { phaseKey: delta.key, task });
  });
  // As with tasks, a late delta does not take a finished phase back; one that leaves work in it does.
  const hasWork = taskDeltas.some(({ key }) => !isOver(tasks.get(key)?.status ?? 'complete'));
  const merged: PhaseState = {
    key: phase.key,
    title: mergeLabel(phase.title, delta.title),
    ...mergeStatus(phase, delta.status, hasWork),
    reasoning: mergeText(phase.reasoning, delta.reasoning),
    tasks,
  };
  return { ...next, phases: next.phases.set(delta.key, merged) };
}

/** Merges one task into the phase's tasks; answers the state with its counts brought up to date. */
function foldTaskInto(
  tasks: PhaseState['tasks'],
  state: PlanState,
  { phaseKey, task: delta }: { phaseKey: string; task: TaskDelta },
): PlanState {
  const known = tasks.get(delta.key);
  if (known === undefined && state.tasksTotal >= PLAN_BOUNDS.tasks) return omit(state, phaseKey, delta.key);
  const task = foldTask(known ?? newTask(delta.key), delta);
  tasks.set(delta.key, task);
  const wasDone = known !== undefined && isOver(known.status);
  return {
    ...state,
    tasksTotal: state.tasksTotal + (known === undefined ? 1 : 0),
    tasksDone: state.tasksDone + Number(isOver(task.status)) - Number(wasDone),
  };
}

function newPhase(key: string): PhaseState {
  return { key, title: null, status: 'pending', rawStatus: null, reasoning: null, tasks: PersistentMap() };
}

function omitAll(state: PlanState, phase: PhaseDelta): PlanState {
  return usable(phase.tasks).reduce((next, task) => omit(next, phase.key, task.key), state);
}

function omit(state: PlanState, phaseKey: string, taskKey: string): PlanState {
  if (state.omitted.size >= PLAN_BOUNDS.omittedTracked) return state;
  // JSON, so that no two pairs of keys make the same name.
  return { ...state, omitted: state.omitted.add(JSON.stringify([phaseKey, taskKey])) };
}

/** The entries whose key is not too long to be kept. */
function usable<T extends { key: string }>(entries: readonly T[] = []): readonly T[] {
  return entries.filter(({ key }) => key.length <= PLAN_BOUNDS.keyChars);
}
