import { currencyKey } from '../domain/money.ts';
import type { SpentToday } from '../domain/payment.ts';
import { amountLeft, isGreater, type Money, sumOf } from './money.ts';
import type { PaymentFacts } from './payment-facts.ts';
import { CAP_NAMES, type CapName, type Policy } from './policy.ts';

/** Where a cap stands before the payment. Null: what was spent could not be read, so nothing is left. */
export type CapStanding = { name: CapName; limit: string; spent: string | null; currency: string; left: string };

const SPENT_BY = { 'user-per-day': 'user', 'channel-per-day': 'channel', 'workspace-per-day': 'workspace' } as const;

const WHERE: Record<CapName, string> = {
  request: 'per request',
  'user-per-day': 'per day and requester',
  'channel-per-day': 'per day in this channel',
  'workspace-per-day': 'per day in this workspace',
};

type Check = { standings: CapStanding[]; problems: string[] };

/** The caps that a payment counts against, and why it would exceed them (sentences; none when it would not). */
export function checkCaps(policy: Policy, facts: PaymentFacts, spentToday: SpentToday): Check {
  const check: Check = { standings: [], problems: [] };
  for (const name of CAP_NAMES) {
    const cap = policy.caps[name];
    if (cap === null) continue;
    const limit = cap.limits.find(({ currency }) => currency === facts.currency);
    if (limit) checkCap({ name, limit, facts, spentToday }, check);
    else if (cap.other === 'deny') {
      check.problems.push(
        `The policy sets no limit ${WHERE[name]} in ${facts.currency}, so nothing can be paid in it.`,
      );
    }
  }
  return check;
}

function checkCap(
  { name, limit, facts, spentToday }: { name: CapName; limit: Money; facts: PaymentFacts; spentToday: SpentToday },
  check: Check,
): void {
  const { amount: max, currency } = limit;
  const spent = name === 'request' ? '0' : spentIn(spentToday[SPENT_BY[name]], currency);
  const left = spent === null ? '0' : amountLeft(max, spent);
  check.standings.push({ name, limit: max, spent, currency, left });
  if (spent === null) {
    check.problems.push(`What was spent ${WHERE[name]} is not known, so the limit cannot be kept.`);
  } else if (isGreater(facts.amount, left)) {
    const before = name === 'request' ? '' : `, ${spent} ${currency} of it used`;
    check.problems.push(`It would exceed the limit of ${max} ${currency} ${WHERE[name]}${before}.`);
  }
}

function spentIn(spent: readonly Money[], currency: string): string | null {
  return sumOf(spent.filter((money) => currencyKey(money.currency) === currency).map(({ amount }) => amount));
}
