import { sql } from 'kysely';
import type { Db, Trx } from '../database.ts';

/** A sum in one currency (upper case), as exact decimal text. */
export type Spent = { currency: string; amount: string };

/**
 * What counts against the caps: payments approved since the day began, whatever has become of them since. By whom they
 * were asked for, by channel, in the whole workspace, and by who approved them (empty when no approver was named).
 */
export type SpentToday = { user: Spent[]; channel: Spent[]; workspace: Spent[]; approver: Spent[] };

export type SpendingScope = {
  teamId: string;
  channelId: string;
  requesterId: string;
  approverId?: string;
  /** Inclusive. Where the day begins is the policy's matter. */
  dayStart: Date;
};

/**
 * Holds a workspace's approvals back until the transaction ends: sums read after it and the approval recorded under it
 * are one step, so that two approvals at once cannot both fit under one cap. Taken after the run's lock.
 */
export async function lockSpending(trx: Trx, teamId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`steward/spending/${teamId}`}, 0))`.execute(trx);
}

type SumRow = Record<keyof SpentToday, string | null> & { currency: string };

/** Sums of one day by currency, added up by the database in decimal arithmetic. Currencies are never mixed. */
export async function spentToday(db: Db, scope: SpendingScope): Promise<SpentToday> {
  const { rows } = await sql<SumRow>`
    select l.currency,
      sum(l.amount)::text as workspace,
      (sum(l.amount) filter (where l.channel_id = ${scope.channelId}))::text as channel,
      (sum(l.amount) filter (where l.requester_id = ${scope.requesterId}))::text as "user",
      (sum(l.amount) filter (where exists (select from steward.approvals a
        where a.pause_id = l.pause_id and a.approver_id = ${scope.approverId ?? ''})))::text as approver
    from steward.ledger l
    where l.team_id = ${scope.teamId} and l.approved_at >= ${scope.dayStart}
    group by l.currency order by l.currency`.execute(db);
  const sumsOf = (whose: keyof SpentToday): Spent[] =>
    rows.flatMap((row) => (row[whose] === null ? [] : [{ currency: row.currency, amount: row[whose] }]));
  return {
    user: sumsOf('user'),
    channel: sumsOf('channel'),
    workspace: sumsOf('workspace'),
    approver: sumsOf('approver'),
  };
}
