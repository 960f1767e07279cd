import { Decimal } from 'decimal.js';
import { expect } from 'vitest';
import type { LedgerEntry, LedgerState, Spent } from '../../../src/domain/payment.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import type { Run } from '../../../src/domain/run.ts';
import { LIVE_STATES } from '../../../src/domain/run.ts';
import type { SqlPool } from '../../../src/store/connection/sql-pool.ts';
import { CAP, type Witnessed } from './payment-actors.ts';
import { DAY_START } from './payment-build.ts';

/** Rows of the audit trail of one kind, by pause. */
const noted = (kind: string, where = 'true') =>
  `(select count(*) from steward.audit a where a.pause_id = p.id and a.kind = '${kind}' and ${where})`;
const notedOfRun = (kinds: string, where = 'true') =>
  `(select count(*) from steward.audit a where a.run_id = r.id and a.kind in (${kinds}) and ${where})`;
const sentLegs = '(select count(*) from steward.legs l where l.run_id = r.id and l.sent_at is not null)';
const resumes = notedOfRun(`'resumed'`, 'a.actor_id is not null');
const payments = 'steward.pauses p join steward.ledger l on l.pause_id = p.id';
const live = LIVE_STATES.map((state) => `'${state}'`).join();

/** Each query finds rows that must not be there. */
export const PAYMENT_VIOLATIONS: Record<string, string> = {
  'a payment without an entry, or the reverse': `select p.id from steward.pauses p
    where (p.request ->> 'kind' = 'payment') <> exists (select from steward.ledger l where l.pause_id = p.id)`,
  'an entry asked for by a pause that is not open, or the reverse': `select p.id from ${payments}
    where (p.state = 'open') <> (l.state = 'requested')`,
  'an entry that says other than its pause': `select p.id from ${payments} where l.state <> 'requested' and not case
    when p.decision ->> 'verdict' = 'approve' then l.state in ('approved', 'sent', 'settled', 'unknown')
    when p.decision ->> 'verdict' = 'decline' then l.state = 'declined'
    else l.state = 'expired' and p.state in ('expired', 'cancelled') end`,
  'a payment in the air of a run that is over': `select p.id from ${payments} join steward.runs r on r.id = p.run_id
    where l.state in ('requested', 'approved', 'sent') and r.state not in (${live})`,
  'an approval that its run is not about to send': `select p.id from ${payments} join steward.runs r on r.id = p.run_id
    where l.state = 'approved' and (r.state not in ('queued', 'running') or exists (select from steward.legs sent
      where sent.run_id = r.id and sent.epoch > p.epoch and sent.sent_at is not null))`,
  'less than was sent': `select p.id from ${payments} join steward.legs sent on sent.run_id = p.run_id
    where p.decision ->> 'verdict' = 'approve' and sent.epoch > p.epoch and sent.sent_at is not null
      and (l.state not in ('sent', 'settled', 'unknown') or l.amount is null or l.approved_at is null)`,
  'more than was sent': `select p.id from ${payments} where l.sent_at is not null and not exists
    (select from steward.legs sent where sent.run_id = p.run_id and sent.epoch > p.epoch and sent.sent_at is not null)`,
  'an approval sent without the ledger saying so': `select p.id from ${payments}
    join steward.legs sent on sent.run_id = p.run_id and sent.epoch > p.epoch and sent.sent_at is not null
    where p.decision ->> 'verdict' = 'approve' and l.sent_at is null`,
  'too few people': `select p.id from ${payments} where l.approved_at is not null
    and (select count(*) from steward.approvals a where a.pause_id = p.id) <> l.approvers_needed`,
  'another amount than the option says': `select p.id from ${payments} where l.option_index is not null
    and (l.terms -> 'options' -> l.option_index ->> 'amount')::numeric is distinct from l.amount`,
  'two pauses decided by one message': `select decision ->> 'requestKey' from steward.pauses
    where decision ->> 'requestKey' is not null group by 1 having count(*) > 1`,
  'more legs sent than were asked for': `select r.id from steward.runs r where ${sentLegs} > 1 + ${resumes}
    + (select count(*) from steward.pauses p where p.run_id = r.id and p.state = 'decided')`,
  'other than one turn per question and one per decision': `select r.id from steward.runs r where
    jsonb_array_length(r.turns) <> (select count(*) + count(*) filter (where p.state = 'decided')
      from steward.pauses p where p.run_id = r.id)`,

  'an opening not noted once': `select p.id from steward.pauses p where ${noted('pause_opened')} <> 1`,
  'a decision not noted once': `select p.id from steward.pauses p
    where ${noted('decided')} <> (p.state = 'decided')::int
      or ${noted('decided', 'a.actor_id is not distinct from p.decided_by')} <> (p.state = 'decided')::int`,
  'an approval not noted once': `select p.id from ${payments}
    where (select count(*) from steward.approvals ap where ap.pause_id = p.id)
      <> ${noted('approved')} + ${noted('decided', `a.reason = 'approve'`)}`,
  'an expiry not noted once': `select p.id from steward.pauses p
    where ${noted('expired')} <> (p.state = 'expired')::int`,
  'a settlement not noted once': `select p.id from ${payments} where ${noted('settled')} <> (l.state = 'settled')::int`,
  // Told at a resume after all, it is unknown no more, or once more.
  'an unknown payment not noted, or too often': `select p.id from ${payments} join steward.runs r on r.id = p.run_id
    where ${noted('payment_unknown')} - (l.state = 'unknown')::int not between 0 and least(1, ${resumes})`,
  'a leg sent and not noted once': `select r.id from steward.runs r
    where ${sentLegs} <> ${notedOfRun(`'run_started'`)} + ${notedOfRun(`'resumed'`, 'a.actor_id is null')}
      or ${notedOfRun(`'run_started'`)} <> (${sentLegs} > 0)::int`,
  'an end not noted once': `select r.id from steward.runs r
    where ${notedOfRun(`'run_ended'`)} <> ${resumes} + (r.state not in (${live}))::int`,
};

/** Seen from outside: a payment that ended before the planner was told of it is told when its run is resumed. */
type SeenState = LedgerState | 'unknown, untold';

const NEXT: Record<SeenState, readonly SeenState[]> = {
  requested: ['approved', 'declined', 'expired'],
  approved: ['sent', 'unknown, untold'],
  sent: ['settled', 'unknown'],
  settled: [],
  declined: [],
  expired: [],
  unknown: [],
  'unknown, untold': ['sent'],
};

function isReachable(from: SeenState, to: SeenState): boolean {
  return from === to || NEXT[from].some((next) => isReachable(next, to));
}

/** Looks at the ledger again and again, and adds it up by itself. */
export function createBookkeeper(store: Store, pool: SqlPool, runs: readonly Run[]) {
  const before = new Map<string, SeenState>();

  async function checkRows(): Promise<void> {
    const queries = Object.entries(PAYMENT_VIOLATIONS).map(
      ([name, query]) => `select '${name}' as violation, count(*)::int as found from (${query}) rows`,
    );
    const { rows } = await pool.query(queries.join(' union all '));
    expect(rows.filter(({ found }) => found > 0)).toEqual([]);
  }

  async function checkSums(entries: readonly LedgerEntry[], witnessed: Witnessed): Promise<void> {
    const teamId = runs[0]?.thread.teamId ?? '';
    const spent = await store.ledger.spentToday({
      pauseId: 'another',
      teamId,
      channelId: 'C1',
      requesterId: 'U1',
      dayStart: DAY_START,
    });
    expect(sorted(spent.workspace)).toEqual(sumOf(entries));
    expect(sorted(spent.channel)).toEqual(sumOf(entries));
    expect(sorted(spent.user)).toEqual(sumOf(entries.filter(({ requesterId }) => requesterId === 'U1')));
    const usd = new Decimal(spent.workspace.find(({ currency }) => currency === 'USD')?.amount ?? 0);
    expect(usd.lessThanOrEqualTo(CAP)).toBe(true);
    const told = [...witnessed.approvedUsd.values()].reduce((sum, amount) => sum.plus(amount), new Decimal(0));
    expect(usd.greaterThanOrEqualTo(told)).toBe(true);
  }

  return {
    /** To be called while nobody is at work. */
    async check(witnessed: Witnessed): Promise<LedgerEntry[]> {
      await checkRows();
      const entries = (await Promise.all(runs.map(({ id }) => store.ledger.entriesOf(id)))).flat();
      for (const { pauseId, state: stored, sentAt } of entries) {
        const state = stored === 'unknown' && sentAt === null ? 'unknown, untold' : stored;
        expect([before.get(pauseId), state]).toSatisfy(() => isReachable(before.get(pauseId) ?? 'requested', state));
        before.set(pauseId, state);
      }
      await checkSums(entries, witnessed);
      for (const times of witnessed.decided.values()) expect(times).toBe(1);
      const sent = witnessed.sent.map(({ runId, epoch }) => `${runId} ${epoch}`);
      expect(new Set(sent).size).toBe(sent.length);
      return entries;
    },
  };
}

/** What was approved, by currency, from the terms themselves. */
function sumOf(entries: readonly LedgerEntry[]): Spent[] {
  const sums = new Map<string, Decimal>();
  for (const { terms, optionIndex, approvedAt } of entries) {
    const option = optionIndex === null ? undefined : terms.options[optionIndex];
    if (!option || approvedAt === null) continue;
    const currency = option.currency.trim().toUpperCase();
    sums.set(currency, (sums.get(currency) ?? new Decimal(0)).plus(option.amount));
  }
  return sorted([...sums].map(([currency, amount]) => ({ currency, amount: amount.toFixed() })));
}

function sorted(sums: readonly Spent[]): Spent[] {
  return sums
    .map(({ currency, amount }) => ({ currency, amount: new Decimal(amount).toFixed() }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
