import type { PlanDelta } from '../../src/domain/planner-event.ts';
import { foldPlan } from '../../src/plan/fold-plan.ts';
import { EMPTY_PLAN_STATE, type PlanState, toPlan } from '../../src/plan/plan-state.ts';
import { createLegReader } from '../../src/planner/asi-one/stream/leg-reader.ts';
import { statusMessage } from '../../src/presenter/status-message.ts';
import type { Row, Section } from '../report.ts';
import { benchRun, taskChunk } from './plans.ts';
import { microsecondsEach } from './timing.ts';

const SIZES = [10, 100, 1000];
/** A cheap reader: its sessions are bounded in bytes, so each one reads this many events. */
const EVENTS_PER_LEG = 100;

const us = (value: number) => ({ value, unit: 'µs' });
const parse = (value: number) => ({ ...us(value), of: 'JSON.parse' });

/** The work that each event of a planner's stream causes, and that each edit causes. */
export function measureFold(): Section {
  return {
    name: 'fold: what an event and an edit cost',
    meaning: [
      'read: bytes of the stream to a checked event, beside JSON.parse of the same bytes. fold: that event into a plan of n tasks; a',
      'delta costs the same in a large plan. render: the whole status message of such a plan with its snapshot, once per edit and',
      'not per delta, beside JSON.stringify of the message, which sending costs anyway. Medians of rounds, in turn.',
    ],
    rows: [readRow(), ...SIZES.map(foldRow), ...SIZES.map(renderRow)],
  };
}

/** The deltas that the reader makes of the chunks, in order. */
function readDeltas(chunks: readonly string[]): PlanDelta[] {
  return chunks.flatMap((chunk) => {
    const events = createLegReader().push(Buffer.from(`data: ${chunk}\n\n`));
    return events.flatMap((event) => (event.type === 'plan-delta' ? [event.delta] : []));
  });
}

function planOf(tasks: number): PlanState {
  const chunks = Array.from({ length: tasks }, (_, task) =>
    taskChunk(task, task % 3 === 0 ? 'completed' : 'in_progress'),
  );
  return readDeltas(chunks).reduce(foldPlan, EMPTY_PLAN_STATE);
}

function readRow(): Row {
  const chunks = Array.from({ length: EVENTS_PER_LEG }, (_, task) => taskChunk(task, 'in_progress'));
  const bytes = chunks.map((chunk) => Buffer.from(`data: ${chunk}\n\n`));
  const json = chunks.map((chunk) => Buffer.from(chunk));
  const times = microsecondsEach({
    read() {
      const reader = createLegReader();
      for (const event of bytes) reader.push(event);
    },
    parse() {
      for (const event of json) JSON.parse(event.toString());
    },
  });
  return {
    name: 'read, per event',
    measured: us(times.read / EVENTS_PER_LEG),
    baseline: parse(times.parse / EVENTS_PER_LEG),
  };
}

function foldRow(tasks: number): Row {
  const state = planOf(tasks);
  const chunk = taskChunk(tasks - 1, 'in_progress');
  const json = Buffer.from(chunk);
  const [delta] = readDeltas([chunk]);
  if (!delta) throw new Error('The chunk is no delta');
  const times = microsecondsEach({
    fold: () => void foldPlan(state, delta),
    parse: () => void JSON.parse(json.toString()),
  });
  return { name: `fold, per delta, ${tasks} tasks`, measured: us(times.fold), baseline: parse(times.parse) };
}

function renderRow(tasks: number): Row {
  const state = planOf(tasks);
  const run = benchRun();
  const now = new Date(1_700_000_060_000);
  const view = { ahead: 0, now, pause: null, payments: [], retry: null };
  const draw = () => statusMessage({ run: { ...run, plan: toPlan(state) }, ...view });
  const content = draw();
  const times = microsecondsEach({ draw: () => void draw(), stringify: () => void JSON.stringify(content) });
  return {
    name: `render, per edit, ${tasks} tasks`,
    measured: us(times.draw),
    baseline: { ...us(times.stringify), of: 'JSON.stringify' },
  };
}
