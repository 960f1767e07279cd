import type { LedgerEntry } from '../../domain/payment.ts';
import type { Person } from '../../domain/ports/people.ts';
import type { ApprovalFacts, ApprovalJudgement } from '../../domain/ports/store.ts';
import { evaluatePayment, type PaymentStanding } from '../../policy/evaluate.ts';
import { type ApproverInput, type MayApprove, mayApprove } from '../../policy/may-approve.ts';
import type { Policy } from '../../policy/policy.ts';
import { keepDemand } from './payment-standing.ts';

/** An approval that somebody wants to give. `people` are the approver and who has approved before, as Slack knows them. */
type WantedApproval = { policy: Policy; optionIndex: number; approverId: string; people: ReadonlyMap<string, Person> };

/**
 * Whether the policy, as it is now, allows an approval; asked under the locks that it is recorded under. Whoever
 * approved before must still be allowed to, or the two of them would not be two approvers by this policy.
 */
export function judgeApproval(wanted: WantedApproval, { entry, spentToday }: ApprovalFacts): ApprovalJudgement {
  const { policy, optionIndex, approverId } = wanted;
  const { terms, requesterId, channelId } = entry;
  const standing = keepDemand(
    evaluatePayment({ policy, terms, option: optionIndex, requesterId, channelId, spentToday }),
    entry,
  );
  const own = mayPersonApprove(wanted, { entry, standing, personId: approverId, alreadyApproved: entry.approverIds });
  if (!own.allowed) return own;
  for (const personId of entry.approverIds) {
    const earlier = mayPersonApprove(wanted, { entry, standing, personId, alreadyApproved: [] });
    if (!earlier.allowed) return { allowed: false, reason: EARLIER_COUNTS_NO_MORE };
  }
  const approversNeeded = standing.kind === 'needs-approval' ? standing.approversNeeded : 2;
  return { allowed: true, approversNeeded, policyDigest: policy.digest };
}

const EARLIER_COUNTS_NO_MORE =
  'The approval given before does not count any more under the policy as it is now. Decline this payment, or let it expire and start over.';

function mayPersonApprove(
  { policy, people }: WantedApproval,
  about: { entry: LedgerEntry; standing: PaymentStanding; personId: string; alreadyApproved: readonly string[] },
): MayApprove {
  const { entry, standing, personId, alreadyApproved } = about;
  const person = people.get(personId);
  // Somebody approved between the question to Slack and now.
  if (!person) return { allowed: false, reason: 'Somebody else has just approved it. Please look at the card again.' };
  return explained(
    mayApprove({ ...approverOf(person), policy, standing, requesterId: entry.requesterId, alreadyApproved }),
    person,
  );
}

/** A person as the policy asks for them. */
export function approverOf(person: Person): Pick<ApproverInput, 'actor' | 'memberOfChannel'> {
  const { userId: id, teamId, isGuest, isExternal, groupIds, isMember: memberOfChannel } = person;
  return { actor: { id, teamId, isGuest, isExternal, groupIds }, memberOfChannel };
}

/** A refusal that may only come from what could not be found out says so. */
export function explained(answer: MayApprove, { problem }: Person): MayApprove {
  return answer.allowed || problem === null ? answer : { ...answer, reason: `${answer.reason} ${problem}` };
}
