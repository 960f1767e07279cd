import { sql } from 'kysely';
import type { ClaimedLeg, Leg } from '../../domain/ports/store.ts';
import type { Run } from '../../domain/run.ts';
import type { Turn } from '../../domain/turn.ts';
import { type Db, msAgo } from '../database.ts';
import { toRun } from '../rows/run-row.ts';

const MAX_PRIOR_PAIRS = 20;
const MAX_PRIOR_CHARS = 200_000;

/** Starts the next leg of a queued current run. One statement decides: of two claims at once, one wins. */
export async function claimLeg(db: Db, runId: string, owner: string): Promise<ClaimedLeg | null> {
  const { rows } = await sql<{ id: string }>`
    with claimed as (
      update steward.runs set state = 'running', epoch = epoch + 1, started_at = coalesce(started_at, now())
      where id = ${runId} and state = 'queued' and is_current
      returning *
    ), leg as (
      insert into steward.legs (run_id, epoch, owner) select id, epoch, ${owner} from claimed
    )
    select * from claimed`.execute(db);
  if (!rows[0]) return null;
  const run = toRun(rows[0]);
  return { leg: { runId: run.id, epoch: run.epoch }, run, priorTurns: await priorTurns(db, run) };
}

/** Ends that nothing changes any more. Requests that were stopped or deleted are taken back, and not told again. */
const FINAL_STATES = ['completed', 'failed', 'expired'] as const;

/**
 * The thread's runs from before this run first started, oldest first, with the answers of the completed ones: its
 * conversation stays the same at each resume, whatever ran in between. A request that failed is told too, so that "try
 * again" has a meaning. The newest 20, and no more than fit in 200,000 characters.
 */
async function priorTurns(db: Db, run: Run): Promise<Turn[]> {
  const newestFirst = await db
    .selectFrom('runs as p')
    .innerJoin('runs as r', (join) => join.on('r.id', '=', run.id))
    .select(['p.text', 'p.state', sql<string>`left(p.answer, ${sql.lit(MAX_PRIOR_CHARS + 1)})`.as('answer')])
    .where('p.team_id', '=', run.thread.teamId)
    .where('p.channel_id', '=', run.thread.channelId)
    .where('p.thread_ts', '=', run.thread.threadTs)
    .where('p.state', 'in', FINAL_STATES)
    // A request that is started over is told once.
    .where(sql<boolean>`r.request_key <> 'start-over:' || p.id`)
    .whereRef('p.ended_at', '<=', 'r.started_at')
    .orderBy('p.ended_at', 'desc')
    .limit(MAX_PRIOR_PAIRS)
    .execute();
  let chars = 0;
  const kept = newestFirst.filter(({ text, state, answer }) => {
    chars += text.length + (state === 'completed' ? answer.length : 0);
    return chars <= MAX_PRIOR_CHARS;
  });
  return kept
    .reverse()
    .flatMap(({ text, state, answer }): Turn[] => [
      { role: 'user', content: text },
      ...(state === 'completed' ? [{ role: 'assistant' as const, content: answer }] : []),
    ]);
}

/** Legs whose run is still `running` on them and that have not beaten for `olderThanMs`. */
export async function lostLegs(db: Db, where: { olderThanMs: number; limit: number }): Promise<Leg[]> {
  return db
    .selectFrom('legs as l')
    .innerJoin('runs as r', (join) => join.onRef('l.run_id', '=', 'r.id').onRef('l.epoch', '=', 'r.epoch'))
    .select(['r.id as runId', 'r.epoch'])
    .where('l.ended_at', 'is', null)
    .where('r.state', '=', 'running')
    .where('l.beat_at', '<=', msAgo(where.olderThanMs))
    .orderBy('l.beat_at')
    .limit(where.limit)
    .execute();
}
