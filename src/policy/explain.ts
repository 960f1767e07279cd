import { NOTHING_SPENT, type PaymentTerms } from '../domain/payment.ts';
import { describeBlocked, describeCaps, describeStanding } from './describe.ts';
import { evaluatePayment } from './evaluate.ts';
import { listProblem, traceRules } from './match-rule.ts';
import { readFacts } from './payment-facts.ts';
import type { Policy } from './policy.ts';

/**
 * Says in plain lines what the policy makes of a payment of one option, and why: who could approve it, the rule that
 * decides and those that were passed over, the caps as they stand with nothing spent today, and who never may.
 */
export function explainPayment(question: {
  policy: Policy;
  terms: PaymentTerms;
  requesterId: string;
  channelId: string;
}): string[] {
  const { policy, terms, requesterId } = question;
  const standing = evaluatePayment({ ...question, option: null, spentToday: NOTHING_SPENT });
  const naming = { requesterId, mention: (userId: string) => `@${userId}` };
  const verdict =
    standing.kind === 'auto-decline'
      ? `declined by the policy, nobody is asked: ${standing.reason}`
      : `needs approval by ${describeStanding(standing, naming)}`;
  return [
    `Policy:   ${policy.source} (${policy.rules.length} rule${policy.rules.length === 1 ? '' : 's'})`,
    `Verdict:  ${verdict}`,
    ...(standing.kind === 'needs-approval' ? [`Rule:     ${standing.rule}`] : []),
    ...describeBlocked(standing, terms.options.length).map((line) => `Blocked:  ${line}`),
    ...ruleLines(question).map((line) => `Why:      ${line}`),
    ...(standing.kind === 'needs-approval' ? describeCaps(standing.caps).map((line) => `Cap:      ${line}`) : []),
    ...(standing.kind === 'needs-approval' ? exclusions(policy).map((line) => `Never:    ${line}`) : []),
  ];
}

function ruleLines(question: Parameters<typeof explainPayment>[0]): string[] {
  const read = readFacts(question, 0);
  // The verdict has said why already, and no rule was asked.
  if ('problem' in read || listProblem(question.policy, read.facts) !== null) return [];
  return traceRules(question.policy.rules, read.facts).map(({ rule, match }, index) => {
    const name = `rule ${index + 1} "${rule.name}"`;
    return match.kind === 'match' ? `${name} matches` : `${name} ${match.because}`;
  });
}

function exclusions({ guests, slackConnect }: Policy): string[] {
  const lines = guests === 'deny' ? ['guests'] : [];
  if (slackConnect === 'deny') return [...lines, 'people from other workspaces'];
  if (slackConnect === 'allow') return lines;
  return [...lines, `people from other workspaces than ${slackConnect.join(', ')}`];
}
