import { type ExpressionBuilder, sql } from 'kysely';
import type { OutboxStore } from '../domain/ports/store.ts';
import { appendAudit } from './audit/audit-store.ts';
import { type Db, msFromNow, NOW, type Trx, transact } from './database.ts';
import { toText } from './json.ts';
import { addMessages, touchMessages } from './owed.ts';
import { toOutboxMessage } from './rows/outbox-row.ts';
import type { Database } from './schema.ts';

/**
 * Messages that Slack has to show.
 *
 * A row is owed while `wanted_rev > shown_rev`. It is claimed under a lease, and leaves it by being shown, by failing
 * (again later, or given up until it changes), or by the lease running out with the process that held it.
 */
export function createOutboxStore(db: Db): OutboxStore {
  return {
    add: (message) => addMessages(db, [message]),
    async get(operationId) {
      const row = await db.selectFrom('outbox').selectAll().where('operation_id', '=', operationId).executeTakeFirst();
      return row ? toOutboxMessage(row) : null;
    },
    touch: (operationIds) => touchMessages(db, operationIds),
    async claim(operationId, leaseMs) {
      const row = await db
        .updateTable('outbox as o')
        .set({ lease_until: msFromNow(leaseMs), attempts: sql<number>`o.attempts + 1` })
        .where('operation_id', '=', operationId)
        .where(isDue)
        .returningAll('o')
        .executeTakeFirst();
      return row ? toOutboxMessage(row) : null;
    },
    async renew(operationId, leaseMs) {
      await db
        .updateTable('outbox')
        .set({ lease_until: msFromNow(leaseMs) })
        .where('operation_id', '=', operationId)
        .where('lease_until', 'is not', null)
        .execute();
    },
    async releaseAll() {
      await db.updateTable('outbox').set({ lease_until: null }).where('lease_until', 'is not', null).execute();
    },
    shown: (operationId, shown) => transact(db, (trx) => noteShown(trx, operationId, shown)),
    async failed(operationId, { reason, retryAfterMs }) {
      await db
        .updateTable('outbox')
        .set({
          lease_until: null,
          failure_reason: toText(reason),
          ...(retryAfterMs === null ? { failed_at: NOW } : { next_attempt_at: msFromNow(retryAfterMs) }),
        })
        .where('operation_id', '=', operationId)
        .execute();
    },
    async due(limit) {
      const query = db.selectFrom('outbox as o').select('operation_id').where(isDue);
      const rows = await query.orderBy('seq').orderBy('part').limit(limit).execute();
      return rows.map((row) => row.operation_id);
    },
  };
}

async function noteShown(
  trx: Trx,
  operationId: string,
  { ts, rev, said }: Parameters<OutboxStore['shown']>[1],
): Promise<void> {
  await trx
    .updateTable('outbox')
    // What was tried before counts no more: a later failure starts with a short wait.
    .set({
      ts,
      shown_rev: sql<number>`greatest(shown_rev, ${rev}::int)`,
      attempts: 0,
      lease_until: null,
      next_attempt_at: null,
      failure_reason: null,
    })
    .where('operation_id', '=', operationId)
    .execute();
  await appendAudit(trx, said ? [said] : []);
}

/**
 * Owed, not leased, not waiting, not given up; of an answer, with all earlier parts posted; and of what a run says next,
 * with the cards before it that only inform posted or given up.
 */
function isDue(o: ExpressionBuilder<{ o: Database['outbox'] } & Database, 'o'>) {
  const isPast = (column: 'o.lease_until' | 'o.next_attempt_at') => o.or([o(column, 'is', null), o(column, '<=', NOW)]);
  const earlierPart = o
    .selectFrom('outbox as earlier')
    .select('earlier.operation_id')
    .where('earlier.kind', '=', 'answer')
    .whereRef('earlier.run_id', '=', 'o.run_id')
    .whereRef('earlier.part', '<', 'o.part')
    .where('earlier.ts', 'is', null);
  const earlierCard = o
    .selectFrom('outbox as earlier')
    .select('earlier.operation_id')
    .where('earlier.kind', '=', 'info_card')
    .whereRef('earlier.run_id', '=', 'o.run_id')
    .whereRef('earlier.seq', '<', 'o.seq')
    .where('earlier.ts', 'is', null)
    .where('earlier.failed_at', 'is', null);
  const isFirstPostOfNext = o.and([o('o.kind', 'in', ['answer', 'file', 'card', 'info_card']), o('o.ts', 'is', null)]);
  return o.and([
    o('o.wanted_rev', '>', o.ref('o.shown_rev')),
    o('o.failed_at', 'is', null),
    isPast('o.lease_until'),
    isPast('o.next_attempt_at'),
    o.or([o('o.kind', '!=', 'answer'), o.not(o.exists(earlierPart))]),
    o.not(o.and([isFirstPostOfNext, o.exists(earlierCard)])),
  ]);
}
