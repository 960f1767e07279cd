import { sql } from 'kysely';
import type { NewOutboxMessage } from '../domain/outbox.ts';
import { type Db, listOf } from './database.ts';
import { toJson, toText } from './json.ts';

/** Stores messages as owed. One that is known stays as it is. */
export async function addMessages(db: Db, messages: readonly NewOutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await db
    .insertInto('outbox')
    .values(messages.map(toOutboxValues))
    .onConflict((conflict) => conflict.column('operation_id').doNothing())
    .execute();
}

function toOutboxValues(message: NewOutboxMessage) {
  return {
    operation_id: message.operationId,
    kind: message.kind,
    channel_id: message.channelId,
    thread_ts: message.threadTs,
    run_id: message.runId,
    pause_id: message.pauseId,
    part: message.part,
    parts: message.parts,
    text: message.text === null ? null : toText(message.text),
    card: message.card === null ? null : toJson(message.card),
    wanted_rev: 1,
    shown_rev: 0,
    attempts: 0,
  };
}

/**
 * Raises `wanted_rev`: Slack shows an older state now. A message that Slack refused for good is tried again with its
 * new content; waits that Slack asked for stay.
 */
export async function touchMessages(db: Db, operationIds: readonly string[]): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ wanted_rev: sql<number>`wanted_rev + 1`, failed_at: null })
    .where('operation_id', 'in', listOf(operationIds))
    .execute();
}
