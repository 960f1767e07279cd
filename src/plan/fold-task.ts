import { isOver, type Task } from '../domain/plan.ts';
import type { TaskDelta } from '../domain/planner-event.ts';
import { bound, PLAN_BOUNDS } from './bounds.ts';
import { toTaskStatus } from './task-status.ts';

export function newTask(key: string): Task {
  return {
    key,
    title: null,
    status: 'pending',
    rawStatus: null,
    agent: null,
    agentsFound: [],
    message: null,
    reply: null,
    error: null,
    tool: null,
  };
}

/**
 * The task with a delta merged in: what the delta says replaces, what it does not say stays. A finished task goes back
 * to running only if the delta brings a new message for it, since deltas may arrive late or twice.
 */
export function foldTask(task: Task, delta: TaskDelta): Task {
  const message = mergeText(task.message, delta.message);
  return {
    key: task.key,
    title: mergeLabel(task.title, delta.title),
    ...mergeStatus(task, delta.status, message !== task.message),
    agent: mergeLabel(task.agent, delta.agent),
    agentsFound: mergeAgents(task.agentsFound, delta.agentsFound),
    message,
    reply: mergeText(task.reply, delta.reply),
    error: mergeText(task.error, delta.error),
    tool: mergeLabel(task.tool, delta.tool),
  };
}

type Status = Pick<Task, 'status' | 'rawStatus'>;

/** The status after a delta; `mayReopen` lets a finished one run again. */
export function mergeStatus(old: Status, word: string | undefined, mayReopen: boolean): Status {
  if (word === undefined) return { status: old.status, rawStatus: old.rawStatus };
  const rawStatus = bound(word, PLAN_BOUNDS.labelChars);
  const status = toTaskStatus(rawStatus);
  const regresses = isOver(old.status) && !isOver(status);
  return regresses && !mayReopen ? { status: old.status, rawStatus: old.rawStatus } : { status, rawStatus };
}

/** The new value if the delta has one, else the old. */
export function mergeLabel(old: string | null, value: string | undefined): string | null {
  return value === undefined ? old : bound(value, PLAN_BOUNDS.labelChars);
}

export function mergeText(old: string | null, value: string | undefined): string | null {
  return value === undefined ? old : bound(value, PLAN_BOUNDS.textChars);
}

function mergeAgents(old: string[], names: string[] | undefined): string[] {
  return names?.slice(0, PLAN_BOUNDS.agentsFound).map((name) => bound(name, PLAN_BOUNDS.labelChars)) ?? old;
}
