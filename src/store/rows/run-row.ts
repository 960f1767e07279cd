import { z } from 'zod';
import { type Plan, TASK_STATUSES } from '../../domain/plan.ts';
import { type FailureCode, RUN_SOURCES, RUN_STATES, type Run, type RunChoice } from '../../domain/run.ts';
import type { Turn } from '../../domain/turn.ts';
import { readRow } from './read-row.ts';

const text = z.string().nullable();
const status = z.enum(TASK_STATUSES);

const taskSchema = z.object({
  key: z.string(),
  title: text,
  status,
  rawStatus: text,
  agent: text,
  agentsFound: z.array(z.string()),
  message: text,
  reply: text,
  error: text,
  tool: text,
});

const phaseSchema = z.object({
  key: z.string(),
  title: text,
  status,
  rawStatus: text,
  reasoning: text,
  tasks: z.array(taskSchema),
});

const planSchema: z.ZodType<Plan> = z.object({
  status: text,
  phases: z.array(phaseSchema),
  tasksTotal: z.number(),
  tasksDone: z.number(),
  tasksOmitted: z.number(),
});

const toolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

const turnSchema: z.ZodType<Turn> = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), content: z.string() }),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    toolCalls: z.exactOptional(z.array(toolCallSchema)),
  }),
  z.object({ role: z.literal('tool'), toolCallId: z.string(), content: z.string() }),
]);

const fileSchema = z.object({
  id: z.string(),
  name: z.string(),
  mimetype: z.string(),
  sizeBytes: z.number(),
  urlPrivateDownload: text,
  needsInfo: z.boolean(),
});

const choiceSchema: z.ZodType<RunChoice> = z.object({
  action: z.enum(['start_over', 'close']),
  actorId: z.string(),
  at: z.coerce.date(),
});

/** Written by `endLeg` alone, whose type is the same; the list of codes grows with the product. */
const failureSchema = z.custom<FailureCode>((value) => typeof value === 'string');

const runRowSchema = z.object({
  id: z.string(),
  request_key: z.string(),
  session_id: z.string(),
  team_id: z.string(),
  channel_id: z.string(),
  thread_ts: z.string(),
  requester_id: z.string(),
  request_ts: text,
  source: z.enum(RUN_SOURCES),
  text: z.string(),
  files: z.array(fileSchema),
  state: z.enum(RUN_STATES),
  is_current: z.boolean(),
  epoch: z.number(),
  plan: planSchema,
  turns: z.array(turnSchema),
  answer: z.string(),
  failure: failureSchema.nullable(),
  stop_requested_by: text,
  choice: choiceSchema.nullable(),
  created_at: z.date(),
  started_at: z.date().nullable(),
  ended_at: z.date().nullable(),
  // int8 is text in node-postgres.
  active_ms: z.coerce.number(),
});

/** A row of `steward.runs` as a run. @throws {StewardError} when it cannot be read */
export function toRun(row: { id: string }): Run {
  const read = readRow(runRowSchema, row, `run ${row.id}`);
  return {
    id: read.id,
    requestKey: read.request_key,
    sessionId: read.session_id,
    thread: { teamId: read.team_id, channelId: read.channel_id, threadTs: read.thread_ts },
    requesterId: read.requester_id,
    requestTs: read.request_ts,
    source: read.source,
    text: read.text,
    files: read.files,
    state: read.state,
    isCurrent: read.is_current,
    epoch: read.epoch,
    plan: read.plan,
    turns: read.turns,
    answer: read.answer,
    failure: read.failure,
    stopRequestedBy: read.stop_requested_by,
    choice: read.choice,
    createdAt: read.created_at,
    startedAt: read.started_at,
    endedAt: read.ended_at,
    activeMs: read.active_ms,
  };
}
