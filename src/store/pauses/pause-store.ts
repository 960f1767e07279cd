import { sql } from 'kysely';
import { cardOperation, reminderOperation } from '../../domain/outbox.ts';
import type { Pause } from '../../domain/pause.ts';
import type { PauseStore } from '../../domain/ports/store.ts';
import type { Run } from '../../domain/run.ts';
import { type Db, transact } from '../database.ts';
import { toPause } from '../rows/pause-row.ts';
import { toRun } from '../rows/run-row.ts';
import { approvePayment } from './approve-payment.ts';
import { decidePause } from './decide-pause.ts';
import { expirePause } from './expire-pause.ts';
import { readPause } from './read-pause.ts';

/** Pauses and their decisions. A pause is open exactly while its run is `paused`. */
export function createPauseStore(db: Db): PauseStore {
  return {
    get: (pauseId) => readPause(db, pauseId),
    async latestOf(runId) {
      const query = db.selectFrom('pauses').selectAll().where('run_id', '=', runId).orderBy('seq', 'desc').limit(1);
      const row = await query.executeTakeFirst();
      return row ? toPause(row) : null;
    },
    askedBefore: (message) => askedBefore(db, message),
    async wasDecidedBy(requestKey) {
      const query = db
        .selectFrom('pauses')
        .select('id')
        .where('decision', 'is not', null)
        .where(sql`decision ->> 'requestKey'`, '=', requestKey);
      return (await query.limit(1).executeTakeFirst()) !== undefined;
    },
    openFor: (requesterId, limit) =>
      withRuns(db, openPauses(db).where('r.requester_id', '=', requesterId).limit(limit)),
    openPayments: (limit) => withRuns(db, openPauses(db).where(sql`p.request ->> 'kind'`, '=', 'payment').limit(limit)),
    decide: (input) => transact(db, (trx) => decidePause(trx, input)),
    approve: (input) => transact(db, (trx) => approvePayment(trx, input)),
    expire: (runId, now) => transact(db, (trx) => expirePause(trx, runId, now)),
    async overdue(now, limit) {
      const rows = await db
        .selectFrom('pauses')
        .select('run_id')
        .where('state', '=', 'open')
        .where('deadline_at', '<=', now)
        .orderBy('deadline_at')
        .limit(limit)
        .execute();
      return rows.map((row) => row.run_id);
    },
    needingReminder: (now, limit) => withRuns(db, unremindedPauses(db, now).limit(limit)),
  };
}

/** Compares Slack's own times, so that a clock of ours that is off misleads only until a card's ts is known. */
async function askedBefore(
  db: Db,
  { thread, requesterId, ts }: Parameters<PauseStore['askedBefore']>[0],
): Promise<Pause | null> {
  const row = await db
    .selectFrom('pauses as p')
    .innerJoin('runs as r', 'r.id', 'p.run_id')
    .leftJoin('outbox as card', (join) => join.on('card.operation_id', '=', sql<string>`${cardOperation('')} || p.id`))
    .selectAll('p')
    .where('r.team_id', '=', thread.teamId)
    .where('r.channel_id', '=', thread.channelId)
    .where('r.thread_ts', '=', thread.threadTs)
    .where('r.requester_id', '=', requesterId)
    .where(sql<boolean>`coalesce(card.ts::numeric, extract(epoch from p.opened_at)) <= ${ts}::numeric`)
    .orderBy('p.seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? toPause(row) : null;
}

/** Open pauses, oldest first. */
function openPauses(db: Db) {
  return db
    .selectFrom('pauses as p')
    .innerJoin('runs as r', 'r.id', 'p.run_id')
    .selectAll('p')
    .where('p.state', '=', 'open')
    .orderBy('p.seq');
}

/** Open pauses in the last third of their time that no reminder was posted for. */
function unremindedPauses(db: Db, now: Date) {
  return openPauses(db)
    .where(sql<boolean>`p.opened_at + (p.deadline_at - p.opened_at) * 2 / 3 <= ${now}`)
    .where('p.deadline_at', '>', now)
    .where(sql<boolean>`not exists (select from steward.outbox
      where operation_id = ${reminderOperation('')} || p.id)`);
}

async function withRuns(db: Db, pauses: ReturnType<typeof openPauses>): Promise<Array<{ pause: Pause; run: Run }>> {
  const rows = await pauses.execute();
  if (rows.length === 0) return [];
  const runs = await db
    .selectFrom('runs')
    .selectAll()
    .where(
      'id',
      'in',
      rows.map((row) => row.run_id),
    )
    .execute();
  const byId = new Map(runs.map((row) => [row.id, toRun(row)]));
  return rows.flatMap((row) => {
    const run = byId.get(row.run_id);
    return run ? [{ pause: toPause(row), run }] : [];
  });
}
