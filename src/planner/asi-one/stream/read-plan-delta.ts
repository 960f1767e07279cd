import type { PhaseDelta, PlanDelta, TaskDelta } from '../../../domain/planner-event.ts';
import { isRecord, type JsonRecord, own } from '../json-record.ts';
import { PLANNER_LIMITS } from '../limits.ts';
import { type Clarification, readClarification, readPausedClarification } from './clarification.ts';
import { createFieldReader, readAgent, readAgents, readString, readText } from './field-reader.ts';
import { pauseKindOf } from './pause-watch.ts';

/**
 * What one `metadata` object says of the plan: `clarifications` from the vaguest place to the surest, `omitted` the
 * number of entries beyond what is read from one event.
 */
type PlanReading = { delta: PlanDelta | null; clarifications: Clarification[]; omitted: number };

/** What one reading may still take in, and what it came across. */
type Reading = { phasesLeft: number; tasksLeft: number; omitted: number; asked: Clarification | null };

/**
 * Reads a partial plan (docs.asi1.ai, planner page). `phases` and `tasks` may be objects or arrays by index; whatever
 * has another form than expected says nothing. Metadata of another `type` is not a plan.
 */
export function readPlanDelta(metadata: JsonRecord): PlanReading {
  const type = own(metadata, 'type');
  if (typeof type === 'string' && type !== 'plan_state') return { delta: null, clarifications: [], omitted: 0 };
  const reading: Reading = {
    phasesLeft: PLANNER_LIMITS.phasesPerEvent,
    tasksLeft: PLANNER_LIMITS.tasksPerEvent,
    omitted: 0,
    asked: null,
  };
  const delta: PlanDelta = {};
  const status = readString(own(metadata, 'plan_status'));
  if (status !== undefined) delta.status = status;
  const phases = readPhases(own(metadata, 'phases'), reading);
  if (phases.length > 0) delta.phases = phases;
  const isPausing = status !== undefined && pauseKindOf(status) === 'clarification';
  const asked = isPausing ? readPausedClarification(metadata) : readClarification(metadata);
  return {
    delta: status === undefined && phases.length === 0 ? null : delta,
    clarifications: [reading.asked, asked].filter((found) => found !== null),
    omitted: reading.omitted,
  };
}

function readPhases(value: unknown, reading: Reading): PhaseDelta[] {
  const phases: PhaseDelta[] = [];
  for (const [key, entry] of entries(value)) {
    if (reading.phasesLeft-- <= 0) reading.omitted += 1;
    else phases.push(readPhase(key, entry, reading));
  }
  return phases;
}

function readPhase(key: string, entry: JsonRecord, reading: Reading): PhaseDelta {
  const read = createFieldReader(entry);
  const phase: PhaseDelta = { key };
  const status = readString(own(entry, 'status'));
  const title = read('title', readText);
  const reasoning = read('reasoning', readText);
  if (status !== undefined) phase.status = status;
  if (title !== undefined) phase.title = title;
  if (reasoning !== undefined) phase.reasoning = reasoning;
  const tasks: TaskDelta[] = [];
  for (const [taskKey, task] of entries(own(entry, 'tasks'))) {
    if (reading.tasksLeft-- <= 0) reading.omitted += 1;
    else tasks.push(readTask(taskKey, task, reading));
  }
  if (tasks.length > 0) phase.tasks = tasks;
  return phase;
}

const TASK_TEXTS = ['title', 'message', 'reply', 'error'] as const;

function readTask(key: string, entry: JsonRecord, reading: Reading): TaskDelta {
  const read = createFieldReader(entry);
  const task: TaskDelta = { key };
  const status = readString(own(entry, 'status'));
  if (status !== undefined) task.status = status;
  for (const field of TASK_TEXTS) {
    const text = read(field, readText);
    if (text !== undefined) task[field] = text;
  }
  const agentsFound = read('agentsFound', readAgents);
  const agent = read('agent', readAgent);
  const tool = read('tool', readString);
  if (agentsFound !== undefined) task.agentsFound = agentsFound;
  if (agent !== undefined) task.agent = agent;
  if (tool !== undefined) task.tool = tool;
  reading.asked ??= readClarification(entry);
  return task;
}

/** Keys that reach an object's prototype instead of its own values in careless code downstream. */
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** The objects in a map or array, with their keys; anything else in it is left out. */
function* entries(value: unknown): Generator<[string, JsonRecord]> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (UNSAFE_KEYS.has(key)) continue;
    const entry = own(value as JsonRecord, key);
    if (isRecord(entry)) yield [key, entry];
  }
}
