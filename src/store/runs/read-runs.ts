import { sql } from 'kysely';
import type { RunStore } from '../../domain/ports/store.ts';
import { LIVE_STATES, type Run } from '../../domain/run.ts';
import type { ThreadRef } from '../../domain/thread.ts';
import type { Db } from '../database.ts';
import { toText } from '../json.ts';
import { toRun } from '../rows/run-row.ts';
import { aheadOf } from './places.ts';

type ReadRuns = Pick<
  RunStore,
  'get' | 'countAhead' | 'liveInThread' | 'latestInThread' | 'byRequest' | 'liveOf' | 'countByState' | 'oldestWaitingMs'
>;

/** The part of the run store that only reads. */
export function createReadRuns(db: Db): ReadRuns {
  const runs = () => db.selectFrom('runs').selectAll();
  const inThread = (thread: ThreadRef) =>
    runs()
      .where('team_id', '=', thread.teamId)
      .where('channel_id', '=', thread.channelId)
      .where('thread_ts', '=', thread.threadTs);

  return {
    get: async (runId) => first(await runs().where('id', '=', toText(runId)).execute()),
    async countAhead(runId) {
      const query = db.selectFrom('runs as r').select(aheadOf('r').as('ahead')).where('r.id', '=', runId);
      return (await query.executeTakeFirst())?.ahead ?? 0;
    },
    async liveInThread(thread) {
      const query = inThread(thread)
        .where('state', 'in', LIVE_STATES)
        .orderBy('is_current', 'desc')
        .orderBy('order_ts')
        .orderBy('seq');
      return (await query.execute()).map(toRun);
    },
    latestInThread: async (thread) => first(await inThread(thread).orderBy('seq', 'desc').limit(1).execute()),
    async byRequest({ channelId, requestTs }) {
      const query = runs().where('channel_id', '=', channelId).where('request_ts', '=', requestTs);
      // The newest, for a request that was started over.
      return first(await query.orderBy('seq', 'desc').limit(1).execute());
    },
    async liveOf(requesterId, limit) {
      const query = runs().where('requester_id', '=', requesterId).where('state', 'in', LIVE_STATES);
      return (await query.orderBy('seq', 'desc').limit(limit).execute()).map(toRun);
    },
    async countByState() {
      const query = db.selectFrom('runs').select(['state', sql<number>`count(*)::int`.as('count')]);
      const rows = await query.groupBy('state').execute();
      return Object.fromEntries(rows.map((row) => [row.state, row.count]));
    },
    async oldestWaitingMs() {
      const age = sql<number | null>`(extract(epoch from now() - min(queued_at)) * 1000)::float8`;
      const query = db.selectFrom('runs').select(age.as('age'));
      return (await query.where('state', '=', 'queued').where('is_current', '=', true).executeTakeFirst())?.age ?? null;
    },
  };
}

function first(rows: Array<{ id: string }>): Run | null {
  return rows[0] ? toRun(rows[0]) : null;
}
