import type { Task } from '../domain/plan.ts';
import type { TaskDelta } from '../domain/planner-event.ts';
import { bound, PLAN_BOUNDS } from './bounds.ts';
import { isFinished, toTaskStatus } from './task-status.ts';

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
export function mergeStatus(old: Status, word: unknown, mayReopen: boolean): Status {
  const rawStatus = mergeLabel(null, word);
  if (rawStatus === null) return { status: old.status, rawStatus: old.rawStatus };
  const status = toTaskStatus(rawStatus);
  const regresses = isFinished(old.status) && !isFinished(status);
  return regresses && !mayReopen ? { status: old.status, rawStatus: old.rawStatus } : { status, rawStatus };
}

/** The new value if it is a text that says something, else the old one. */
export function mergeLabel(old: string | null, value: unknown): string | null {
  return isText(value) ? bound(value, PLAN_BOUNDS.labelChars) : old;
}

export function mergeText(old: string | null, value: unknown): string | null {
  return isText(value) ? bound(value, PLAN_BOUNDS.textChars) : old;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function mergeAgents(old: string[], value: unknown): string[] {
  if (!Array.isArray(value)) return old;
  const names = value.filter(isText);
  return names.slice(0, PLAN_BOUNDS.agentsFound).map((name) => bound(name, PLAN_BOUNDS.labelChars));
}
