import { z } from 'zod';
import { DECISION_SOURCES, PAUSE_STATES, type Pause } from '../../domain/pause.ts';
import { readRow } from './read-row.ts';

const requestSchema = z.object({
  kind: z.literal('clarification'),
  question: z.string().nullable(),
  options: z.array(z.string()),
});

const decisionSchema = z.object({
  kind: z.literal('clarification'),
  answer: z.string(),
  source: z.enum(DECISION_SOURCES),
  requestKey: z.string().nullable(),
});

const pauseRowSchema = z.object({
  id: z.string(),
  run_id: z.string(),
  epoch: z.number(),
  request: requestSchema,
  terms_digest: z.string(),
  state: z.enum(PAUSE_STATES),
  opened_at: z.date(),
  deadline_at: z.date(),
  decision: decisionSchema.nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.date().nullable(),
});

/** A row of `steward.pauses` as a pause. @throws {StewardError} when it cannot be read */
export function toPause(row: { id: string }): Pause {
  const read = readRow(pauseRowSchema, row, `pause ${row.id}`);
  return {
    id: read.id,
    runId: read.run_id,
    epoch: read.epoch,
    request: read.request,
    termsDigest: read.terms_digest,
    state: read.state,
    openedAt: read.opened_at,
    deadlineAt: read.deadline_at,
    decision: read.decision,
    decidedBy: read.decided_by,
    decidedAt: read.decided_at,
  };
}
