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
  if (typeof type === 'string' && type !== 'plan_state') return readOther(type, metadata);
  const reading: Reading = {
    phasesLeft: PLANNER_LIMITS.phasesPerEvent,
    tasksLeft: PLANNER_LIMITS.tasksPerEvent,
    omitted: 0,
    asked: null,
  };
  const status = readString(own(metadata, 'plan_status'));
  const phases = readPhases(own(metadata, 'phases'), reading);
  const isPausing = status !== undefined && pauseKindOf(status) === 'clarification';
  const asked = isPausing ? readPausedClarification(metadata) : readClarification(metadata);
  return {
    delta: status === undefined && phases === undefined ? null : { status, phases },
    clarifications: [reading.asked, asked].filter((found) => found !== null),
    omitted: reading.omitted,
  };
}

/** Metadata that is no plan may still hold the question that one asks. */
function readOther(type: string, metadata: JsonRecord): PlanReading {
  const asked = /clarif|question/i.test(type) ? readPausedClarification(metadata) : null;
  return { delta: null, clarifications: asked === null ? [] : [asked], omitted: 0 };
}

function readPhases(value: unknown, reading: Reading): PhaseDelta[] | undefined {
  const phases: PhaseDelta[] = [];
  for (const [key, entry] of entries(value)) {
    if (reading.phasesLeft-- <= 0) reading.omitted += 1;
    else phases.push(readPhase(key, entry, reading));
  }
  return phases.length > 0 ? phases : undefined;
}

function readPhase(key: string, entry: JsonRecord, reading: Reading): PhaseDelta {
  reading.asked ??= readClarification(entry);
  const read = createFieldReader(entry);
  return {
    key,
    status: readString(own(entry, 'status')),
    title: read('title', readText),
    reasoning: read('reasoning', readText),
    tasks: readTasks(own(entry, 'tasks'), reading),
  };
}

function readTasks(value: unknown, reading: Reading): TaskDelta[] | undefined {
  const tasks: TaskDelta[] = [];
  for (const [key, entry] of entries(value)) {
    if (reading.tasksLeft-- <= 0) reading.omitted += 1;
    else tasks.push(readTask(key, entry, reading));
  }
  return tasks.length > 0 ? tasks : undefined;
}

/** Which field is read first matters: a key that served one serves no other. */
function readTask(key: string, entry: JsonRecord, reading: Reading): TaskDelta {
  const status = readString(own(entry, 'status'));
  reading.asked ??= /clarif/i.test(status ?? '') ? readPausedClarification(entry) : readClarification(entry);
  const read = createFieldReader(entry);
  return {
    key,
    status,
    title: read('title', readText),
    message: read('message', readText),
    reply: read('reply', readText),
    error: read('error', readText),
    agentsFound: read('agentsFound', readAgents),
    agent: read('agent', readAgent),
    tool: read('tool', readString),
  };
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
