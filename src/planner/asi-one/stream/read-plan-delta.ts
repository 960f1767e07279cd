import type { PhaseDelta, PlanDelta, TaskDelta } from '../../../domain/planner-event.ts';
import { PLANNER_LIMITS } from '../limits.ts';
import { type FoundQuestion, readClarification, readPausedClarification } from '../pause/clarification.ts';
import { pauseKindOf } from '../pause/pause-watch.ts';
import { entries } from '../values/entries.ts';
import { createFieldReader, readAgent, readAgents, readString, readText } from '../values/field-reader.ts';
import { type JsonRecord, own } from '../values/json-record.ts';
import { readJson } from '../values/json-text.ts';
import { dropSecrets } from '../values/received-text.ts';

/**
 * What one `metadata` object says of the plan: `clarifications` from the vaguest place to the surest, `omitted` the
 * number of entries beyond what is read from one event.
 */
type PlanReading = { delta: PlanDelta | null; clarifications: FoundQuestion[]; omitted: number };

/** What one reading may still take in, and what it came across. */
type Reading = { phasesLeft: number; tasksLeft: number; omitted: number; asked: FoundQuestion | null };

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
  const isPausing = status !== undefined && pauseKindOf(status) !== null;
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
    status: readPlanWord(own(entry, 'status')),
    title: read('title', readPlanText),
    reasoning: read('reasoning', readPlanText),
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
  const status = readPlanWord(own(entry, 'status'));
  reading.asked ??= /clarif/i.test(status ?? '') ? readPausedClarification(entry) : readClarification(entry);
  const read = createFieldReader(entry);
  return {
    key,
    status,
    title: read('title', readPlanText),
    message: read('message', readPlanText),
    reply: read('reply', readPlanText),
    error: read('error', readPlanText),
    agentsFound: read('agentsFound', readPlanAgents),
    agent: read('agent', readPlanAgent),
    tool: read('tool', readPlanWord),
  };
}

/** What agents are called, are told and say may hold a payment's secrets, which nobody is to see. */
function withoutSecrets(read: (value: unknown) => string | undefined): (value: unknown) => string | undefined {
  return (value) => {
    const text = read(value);
    return text === undefined ? undefined : dropSecrets(text);
  };
}

const readPlanWord = withoutSecrets(readString);
/** JSON that an agent sent as its text is not words: those in it are read, if it has any. */
const readPlanText = withoutSecrets((value) => readText(readJson(value)));
const readPlanAgent = withoutSecrets(readAgent);

function readPlanAgents(value: unknown): string[] | undefined {
  return readAgents(value)?.map(dropSecrets);
}
