import { z } from 'zod';
import { DECISION_SOURCES, type Decision, PAUSE_STATES, type Pause, type PauseRequest } from '../../domain/pause.ts';
import { cardSchema, selectionSchema } from './card.ts';
import { paymentTermsSchema } from './payment-terms.ts';
import { readRow } from './read-row.ts';

const requestSchema: z.ZodType<PauseRequest> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('clarification'),
    question: z.string().nullable(),
    options: z.array(z.string()),
    // Absent in rows from before payments and cards could be read.
    unread: z.enum(['payment', 'card']).nullable().default(null),
  }),
  z.object({ kind: z.literal('payment'), terms: paymentTermsSchema, said: z.string().nullable() }),
  z.object({ kind: z.literal('card'), card: cardSchema }),
]);

const given = { source: z.enum(DECISION_SOURCES), requestKey: z.string().nullable() };

const decisionSchema: z.ZodType<Decision> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('clarification'), answer: z.string(), ...given }),
  z.object({
    kind: z.literal('payment'),
    verdict: z.enum(['approve', 'decline']),
    optionIndex: z.number().nullable(),
    reason: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('card'),
    label: z.string().nullable(),
    selection: selectionSchema,
    text: z.string().nullable(),
    isCancelled: z.boolean(),
    ...given,
  }),
]);

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
