import { NOTHING_SPENT, type PaymentTerms, type SpentToday } from '../../../src/domain/payment.ts';
import { evaluatePayment, type PaymentStanding } from '../../../src/policy/evaluate.ts';
import { parsePolicy } from '../../../src/policy/load-policy.ts';
import { type MayApprove, mayApprove, type PolicyActor } from '../../../src/policy/may-approve.ts';
import type { Policy } from '../../../src/policy/policy.ts';

export const AGENT = `agent1q${'x'.repeat(58)}`;
export const OTHER_AGENT = `agent1q${'z'.repeat(58)}`;

/** A policy of YAML text that must be good. `version` is added. */
export function policyOf(yaml: string): Policy {
  const parsed = parsePolicy(`version: 1\n${yaml}`, 'policy.yml');
  if ('problems' in parsed) throw new Error(parsed.problems.join('\n'));
  return parsed.policy;
}

/** One rule for everything, with these approvers. */
export function policyFor(approvers: string, more = ''): Policy {
  return policyOf(`${more}\nrules:\n  - name: all\n    approvers: ${approvers}\n`);
}

export function problemsOf(text: string): string[] {
  const parsed = parsePolicy(text, 'policy.yml');
  return 'problems' in parsed ? parsed.problems : [];
}

/** Terms with one option per text, such as `25 USD stripe`. */
export function termsOf(...options: string[]): PaymentTerms {
  return {
    payeeName: 'Parcel Desk',
    payeeAddress: AGENT,
    askerAddress: null,
    options: options.map((option) => {
      const [amount = '', currency = '', method = 'stripe'] = option.split(' ');
      return { amount, currency, method };
    }),
    description: null,
    reference: null,
    deadlineSeconds: null,
    links: [],
  };
}

export type Case = {
  policy: Policy;
  terms?: PaymentTerms;
  option?: number | null;
  requesterId?: string;
  channelId?: string;
  spentToday?: SpentToday;
};

export function standingOf({ policy, terms = termsOf('25 USD'), ...rest }: Case): PaymentStanding {
  const defaults = { option: null, requesterId: 'U1', channelId: 'C1', spentToday: NOTHING_SPENT };
  return evaluatePayment({ ...defaults, ...rest, policy, terms });
}

export function actorOf(id: string, more: Partial<PolicyActor> = {}): PolicyActor {
  return { id, teamId: 'T1', isActivePerson: true, isGuest: false, isExternal: false, groupIds: [], ...more };
}

/** Whether an actor may approve 25 USD that U1 asks for in C1. */
export function answerFor(
  actor: PolicyActor,
  given: Case & { memberOfChannel?: boolean; alreadyApproved?: string[] },
): MayApprove {
  const { memberOfChannel = true, alreadyApproved = [], requesterId = 'U1', ...rest } = given;
  const standing = standingOf({ ...rest, requesterId });
  return mayApprove({ policy: given.policy, standing, actor, requesterId, memberOfChannel, alreadyApproved });
}
