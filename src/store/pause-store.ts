import { sql } from 'kysely';
import { cardOperation, statusOperation } from '../domain/outbox.ts';
import type { Pause } from '../domain/pause.ts';
import type { PauseStore, PauseVerdict } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';
import { type Db, NOW, type Trx, transact } from './database.ts';
import { toJson, toText } from './json.ts';
import { touchMessages } from './owed.ts';
import { toPause } from './rows/pause-row.ts';
import { toRun } from './rows/run-row.ts';
import { endRun } from './runs/end-run.ts';
import { lockRun } from './threads.ts';

type DecideInput = Parameters<PauseStore['decide']>[0];

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
    decide: (input) => transact(db, (trx) => decide(trx, input)),
    expire: (runId, now) => transact(db, (trx) => expire(trx, runId, now)),
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
  };
}

async function readPause(db: Db, pauseId: string): Promise<Pause | null> {
  const row = await db.selectFrom('pauses').selectAll().where('id', '=', toText(pauseId)).executeTakeFirst();
  return row ? toPause(row) : null;
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

async function decide(trx: Trx, input: DecideInput): Promise<PauseVerdict> {
  const seen = await readPause(trx, input.pauseId);
  if (!seen) return { kind: 'unknown' };
  const run = await lockRun(trx, seen.runId);
  // Read again under the run's lock: from here on nobody else can change it.
  const pause = await readPause(trx, input.pauseId);
  if (!run || !pause) return { kind: 'unknown' };
  if (pause.state !== 'open' || pause.deadlineAt <= input.at) return { kind: 'not-open', pause };
  if (input.termsDigest !== null && input.termsDigest !== pause.termsDigest) return { kind: 'terms-changed', pause };
  return recordDecision(trx, pause, input);
}

async function recordDecision(trx: Trx, pause: Pause, input: DecideInput): Promise<PauseVerdict> {
  const decided = await trx
    .updateTable('pauses')
    .set({
      state: 'decided',
      decision: toJson(input.decision),
      decided_by: input.actorId,
      decided_at: input.at,
    })
    .where('id', '=', pause.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const run = await trx
    .updateTable('runs')
    .set({
      state: 'queued',
      queued_at: NOW,
      enqueued_at: null,
      turns: sql<string>`turns || ${toJson([input.turn])}::jsonb`,
    })
    .where('id', '=', pause.runId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await touchMessages(trx, [cardOperation(pause.id), statusOperation(pause.runId)]);
  return { kind: 'decided', pause: toPause(decided), run: toRun(run) };
}

async function expire(trx: Trx, runId: string, now: Date): ReturnType<PauseStore['expire']> {
  const run = await lockRun(trx, runId);
  if (!run) return { expired: false, promotedRunId: null };
  const expired = await trx
    .updateTable('pauses')
    .set({ state: 'expired' })
    .where('run_id', '=', runId)
    .where('state', '=', 'open')
    .where('deadline_at', '<=', now)
    .returning('id')
    .executeTakeFirst();
  if (!expired) return { expired: false, promotedRunId: null };
  await touchMessages(trx, [cardOperation(expired.id)]);
  return { expired: true, promotedRunId: await endRun(trx, run, { state: 'expired' }) };
}
