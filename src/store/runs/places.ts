import { type RawBuilder, sql } from 'kysely';

/** How many unfinished runs of the same thread come before the run of alias `r`. None come before one that is over. */
export function aheadOf(r: 'r'): RawBuilder<number> {
  const run = sql.ref(r);
  return sql<number>`(
    select count(*)::int from steward.runs other
    where (other.team_id, other.channel_id, other.thread_ts) = (${run}.team_id, ${run}.channel_id, ${run}.thread_ts)
      and other.state in ('queued', 'running', 'paused') and ${run}.state in ('queued', 'running', 'paused')
      and not ${run}.is_current
      and (other.is_current or (other.order_ts, other.seq) < (${run}.order_ts, ${run}.seq)))`;
}
