import { isGreater } from './money.ts';
import type { PaymentFacts } from './payment-facts.ts';
import type { AllowDeny, Policy, PolicyRule, RuleConditions } from './policy.ts';

/** How a rule stands to a payment; `because` is the end of a sentence that begins with the rule. */
export type RuleMatch =
  | { kind: 'match' }
  | { kind: 'no-match'; because: string }
  /** Everything else matches, and whether the rest does cannot be told. */
  | { kind: 'unclear'; because: string };

/**
 * Why the policy's lists refuse a payment, whoever would approve it; null when they let it pass. A payee that is not
 * told plainly cannot be looked up, so any list of payees refuses it. The lists must let pass the recipient and the
 * agent that asks: what is said of the recipient is that agent's word.
 */
export function listProblem(policy: Policy, facts: PaymentFacts): string | null {
  const { payees, methods } = policy;
  if (facts.payees === null) {
    if (payees.allow !== null || payees.deny.length > 0) {
      return 'The policy lists payees by address, and this request does not plainly say whom it pays.';
    }
  } else if (facts.payees.some((payee) => isRefused(payees, payee))) {
    return facts.payees.length === 1
      ? 'The policy does not allow payments to this payee.'
      : 'The policy does not allow payments to this payee when this agent asks for them.';
  }
  return isRefused(methods, facts.method) ? `The policy does not allow the payment method ${facts.method}.` : null;
}

function isRefused({ allow, deny }: AllowDeny, key: string): boolean {
  return deny.includes(key) || (allow !== null && !allow.includes(key));
}

/** The rules that were looked at, in order: the last one decides if it matches or is unclear. */
export function traceRules(
  rules: readonly PolicyRule[],
  facts: PaymentFacts,
): Array<{ rule: PolicyRule; match: RuleMatch }> {
  const trace: Array<{ rule: PolicyRule; match: RuleMatch }> = [];
  for (const rule of rules) {
    const match = matchRule(rule.when, facts);
    trace.push({ rule, match });
    if (match.kind !== 'no-match') break;
  }
  return trace;
}

function matchRule(when: RuleConditions, facts: PaymentFacts): RuleMatch {
  const because = firstMismatch(when, facts);
  if (because !== null) return { kind: 'no-match', because };
  if (when.payees === null) return { kind: 'match' };
  // To pass over a rule that may be meant for this payee could end at a laxer one.
  if (facts.payees === null) return { kind: 'unclear', because: 'depends on the payee, which is not plainly told' };
  const isListed = facts.payees.map((payee) => when.payees?.includes(payee));
  if (isListed.every(Boolean)) return { kind: 'match' };
  if (!isListed.some(Boolean)) return { kind: 'no-match', because: 'is for other payees' };
  return { kind: 'unclear', because: 'lists the payee or the agent that asks, and not both' };
}

function firstMismatch(when: RuleConditions, facts: PaymentFacts): string | null {
  if (isOutside(when.channels, facts.channelId)) return 'is for other channels';
  if (isOutside(when.requesters, facts.requesterId)) return 'is for other requesters';
  if (isOutside(when.currencies, facts.currency)) return 'is for other currencies';
  if (isOutside(when.methods, facts.method)) return 'is for other payment methods';
  return overMismatch(when, facts) ?? upToMismatch(when, facts);
}

function isOutside(list: readonly string[] | null, value: string): boolean {
  return list !== null && !list.includes(value);
}

function overMismatch({ over }: RuleConditions, { amount, currency }: PaymentFacts): string | null {
  const threshold = over?.find((money) => money.currency === currency);
  if (!threshold || isGreater(amount, threshold.amount)) return null;
  return `is for more than ${threshold.amount} ${currency}`;
}

function upToMismatch({ upTo }: RuleConditions, { amount, currency }: PaymentFacts): string | null {
  if (upTo === null) return null;
  const threshold = upTo.find((money) => money.currency === currency);
  if (!threshold) return `names no amount in ${currency}`;
  return isGreater(amount, threshold.amount) ? `is for up to ${threshold.amount} ${currency}` : null;
}
