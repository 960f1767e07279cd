import type { ApproversNeeded, PaymentTerms, SpentToday } from '../domain/payment.ts';
import { type CapStanding, checkCaps } from './caps.ts';
import { listProblem, traceRules } from './match-rule.ts';
import { readFacts } from './payment-facts.ts';
import type { Policy, WhoMayApprove } from './policy.ts';

/** An option that people may decide on. `blocked` says why it cannot be approved now (a cap), or is null. */
export type OptionStanding = {
  index: number;
  rule: string;
  whoMayApprove: WhoMayApprove;
  approversNeeded: ApproversNeeded;
  blocked: string | null;
};

/**
 * What the policy makes of a payment.
 *
 * `auto-decline`: nobody could ever approve any of it. `needs-approval`: `options` are those that people may decide on;
 * `rule`, `whoMayApprove` and `approversNeeded` are those of the strictest of them that is not blocked (most people,
 * then first), for a card; `blockedOptions` are all that cannot be approved now. There is no kind that approves.
 */
export type PaymentStanding =
  | { kind: 'auto-decline'; reason: string }
  | {
      kind: 'needs-approval';
      approversNeeded: ApproversNeeded;
      rule: string;
      whoMayApprove: WhoMayApprove;
      options: OptionStanding[];
      blockedOptions: Array<{ index: number; reason: string }>;
      caps: CapStanding[];
    };

export type EvaluateInput = {
  policy: Policy;
  terms: PaymentTerms;
  /** Index of the one option to look at; null for all of them, as a card shows them. */
  option: number | null;
  requesterId: string;
  channelId: string;
  /** Without the payment in question. */
  spentToday: SpentToday;
};

/**
 * Evaluates a payment against a policy. Pure. Each option is looked at for itself: readable, allowed by the lists, the
 * first rule that matches, then the caps. Whatever is unclear is refused with its reason, and so is what no rule
 * matches. A cap never declines by itself: it blocks the approval, because what is left of it changes.
 */
export function evaluatePayment(input: EvaluateInput): PaymentStanding {
  const indexes = input.option === null ? [...input.terms.options.keys()] : [input.option];
  const outcomes = indexes.map((index) => evaluateOption(input, index));
  const options = outcomes.flatMap((outcome) => ('standing' in outcome ? [outcome.standing] : []));
  const refused = outcomes.flatMap((outcome) => ('refused' in outcome ? [outcome.refused] : []));
  const strictest = strictestOf(options);
  if (!strictest) return { kind: 'auto-decline', reason: joinReasons(refused) };
  const blocked = options.flatMap(({ index, blocked: reason }) => (reason === null ? [] : [{ index, reason }]));
  return {
    kind: 'needs-approval',
    approversNeeded: strictest.approversNeeded,
    rule: strictest.rule,
    whoMayApprove: strictest.whoMayApprove,
    options,
    blockedOptions: [...refused, ...blocked].sort((a, b) => a.index - b.index),
    caps: distinctCaps(outcomes.flatMap((outcome) => ('caps' in outcome ? outcome.caps : []))),
  };
}

type OptionOutcome = { standing: OptionStanding; caps: CapStanding[] } | { refused: { index: number; reason: string } };

function evaluateOption(input: EvaluateInput, index: number): OptionOutcome {
  const refuse = (reason: string): OptionOutcome => ({ refused: { index, reason } });
  const read = readFacts(input, index);
  if ('problem' in read) return refuse(read.problem);
  const { facts } = read;
  const listed = listProblem(input.policy, facts);
  if (listed !== null) return refuse(listed);
  const last = traceRules(input.policy.rules, facts).at(-1);
  if (!last || last.match.kind === 'no-match') return refuse('No rule of the policy says who may approve it.');
  const { rule, match } = last;
  if (match.kind === 'unclear') return refuse(`The rule "${rule.name}" ${match.because}.`);
  if (rule.effect.kind === 'decline') return refuse(rule.effect.reason);
  const { who: whoMayApprove, approversNeeded } = rule.effect;
  if (mostPeople(whoMayApprove, input.requesterId) < approversNeeded) {
    return refuse(`The rule "${rule.name}" leaves too few people who may approve it.`);
  }
  const { standings: caps, problems } = checkCaps(input.policy, facts, input.spentToday);
  const blocked = problems.length === 0 ? null : problems.join(' ');
  return { standing: { index, rule: rule.name, whoMayApprove, approversNeeded, blocked }, caps };
}

/** How many different people could approve at most; a channel and a user group may have any number. */
function mostPeople({ anyone, groups, users, requester, notTheRequester }: WhoMayApprove, requesterId: string): number {
  if (anyone || groups.length > 0) return Number.POSITIVE_INFINITY;
  const people = new Set(requester ? [...users, requesterId] : users);
  if (notTheRequester) people.delete(requesterId);
  return people.size;
}

function strictestOf(options: readonly OptionStanding[]): OptionStanding | undefined {
  const open = options.filter(({ blocked }) => blocked === null);
  const from = open.length > 0 ? open : options;
  return from.find(({ approversNeeded }) => approversNeeded === 2) ?? from[0];
}

function joinReasons(refused: ReadonlyArray<{ index: number; reason: string }>): string {
  const [first] = refused;
  if (!first) return 'The request names no way to pay.';
  if (refused.every(({ reason }) => reason === first.reason)) return first.reason;
  return refused.map(({ index, reason }) => `Option ${index + 1}: ${reason}`).join(' ');
}

function distinctCaps(caps: readonly CapStanding[]): CapStanding[] {
  return [...new Map(caps.map((cap) => [`${cap.name} ${cap.currency}`, cap])).values()];
}
