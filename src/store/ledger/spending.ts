import { sql } from 'kysely';
import type { SpendingScope, Spent, SpentToday } from '../../domain/payment.ts';
import type { Db, Trx } from '../database.ts';

/**
 * Holds a workspace's approvals back until the transaction ends: sums read after it and the approval recorded under it
 * are one step, so that two approvals at once cannot both fit under one cap. Taken after the run's lock.
 */
export async function lockSpending(trx: Trx, teamId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`steward/spending/${teamId}`}, 0))`.execute(trx);
}

type SumRow = Record<keyof SpentToday, string | null> & { currency: string };

/**
 * Sums of one day by currency, added up by the database in decimal arithmetic. Currencies are never mixed. A payment that
 * is approved on one day and told to the planner on the next counts on both.
 */
export async function spentToday(db: Db, scope: SpendingScope): Promise<SpentToday> {
  const { rows } = await sql<SumRow>`
    select l.currency,
      sum(l.amount)::text as workspace,
      (sum(l.amount) filter (where l.channel_id = ${scope.channelId}))::text as channel,
      (sum(l.amount) filter (where l.requester_id = ${scope.requesterId}))::text as "user"
    from steward.ledger l
    where l.team_id = ${scope.teamId} and l.approved_at is not null and l.pause_id <> ${scope.pauseId}
      and (l.approved_at >= ${scope.dayStart} or l.sent_at >= ${scope.dayStart})
    group by l.currency order by l.currency`.execute(db);
  const sumsOf = (whose: keyof SpentToday): Spent[] =>
    rows.flatMap((row) => (row[whose] === null ? [] : [{ currency: row.currency, amount: row[whose] }]));
  return {
    user: sumsOf('user'),
    channel: sumsOf('channel'),
    workspace: sumsOf('workspace'),
  };
}
