import { z } from 'zod';
import { OUTBOX_KINDS, type OutboxMessage } from '../../domain/outbox.ts';
import { cardSchema } from './card.ts';
import { readRow } from './read-row.ts';

const outboxRowSchema = z.object({
  operation_id: z.string(),
  kind: z.enum(OUTBOX_KINDS),
  channel_id: z.string(),
  thread_ts: z.string().nullable(),
  run_id: z.string().nullable(),
  pause_id: z.string().nullable(),
  part: z.number(),
  parts: z.number(),
  text: z.string().nullable(),
  card: cardSchema.nullable(),
  ts: z.string().nullable(),
  wanted_rev: z.number(),
  shown_rev: z.number(),
  attempts: z.number(),
});

/** A row of `steward.outbox` as a message. @throws {StewardError} when it cannot be read */
export function toOutboxMessage(row: { operation_id: string }): OutboxMessage {
  const read = readRow(outboxRowSchema, row, `outbox message ${row.operation_id}`);
  return {
    operationId: read.operation_id,
    kind: read.kind,
    channelId: read.channel_id,
    threadTs: read.thread_ts,
    runId: read.run_id,
    pauseId: read.pause_id,
    part: read.part,
    parts: read.parts,
    text: read.text,
    card: read.card,
    ts: read.ts,
    wantedRev: read.wanted_rev,
    shownRev: read.shown_rev,
    attempts: read.attempts,
  };
}
