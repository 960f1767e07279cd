import type { LedgerEntry } from '../../domain/payment.ts';
import type { ApprovalFacts, ApprovalJudgement, RecheckJudgement } from '../../domain/ports/approval-judge.ts';
import type { Person } from '../../domain/ports/people.ts';
import { APPROVAL_REFUSALS, mayApproveNoMore } from '../../policy/approval-refusals.ts';
import { evaluatePayment, type PaymentStanding } from '../../policy/evaluate.ts';
import { type ApproverInput, type MayApprove, mayApprove } from '../../policy/may-approve.ts';
import type { Policy } from '../../policy/policy.ts';
import { keepDemand } from './payment-standing.ts';

/** `people` are those whom a judgement is about, as Slack knows them. */
type Known = { policy: Policy; people: ReadonlyMap<string, Person> };

/** An approval that somebody wants to give. `people` are the approver and who has approved before. */
type WantedApproval = Known & { optionIndex: number; approverId: string };

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
    if (earlier.allowed) continue;
    const isKnown = wanted.people.get(personId)?.isKnown === true;
    const reason = isKnown
      ? APPROVAL_REFUSALS['earlier-counts-no-more']
      : mayApproveNoMore({ userId: personId, isKnown });
    return { allowed: false, reason };
  }
  const approversNeeded = standing.kind === 'needs-approval' ? standing.approversNeeded : 2;
  return { allowed: true, approversNeeded, policyDigest: policy.digest };
}

/**
 * Whether the policy, as it is now, still allows an approval that was recorded, by those who gave it; asked before the
 * planner is told, under the same locks. `people` holds all who approved; it is null where this very policy let them a
 * moment ago. That says nothing of the sums: they may be another day's by now, or another process's policy allowed more.
 */
export function judgeRecorded(
  { policy, people }: { policy: Policy; people: Known['people'] | null },
  { entry, spentToday }: ApprovalFacts,
): RecheckJudgement {
  const withhold = (reason: string): RecheckJudgement => ({ kind: 'withheld', reason });
  const { terms, requesterId, channelId, optionIndex, approverIds } = entry;
  if (optionIndex === null) return withhold(APPROVAL_REFUSALS['no-such-option']);
  const standing = keepDemand(
    evaluatePayment({ policy, terms, option: optionIndex, requesterId, channelId, spentToday }),
    entry,
  );
  if (standing.kind === 'auto-decline') return withhold(standing.reason);
  const [blocked] = standing.blockedOptions;
  if (blocked) return withhold(blocked.reason);
  if (approverIds.length < standing.approversNeeded) return withhold(APPROVAL_REFUSALS['too-few-approvers']);
  if (people === null) return { kind: 'allowed', policyDigest: policy.digest };
  const refused = approverIds.find(
    (personId) => !mayPersonApprove({ policy, people }, { entry, standing, personId, alreadyApproved: [] }).allowed,
  );
  if (refused === undefined) return { kind: 'allowed', policyDigest: policy.digest };
  return withhold(mayApproveNoMore({ userId: refused, isKnown: people.get(refused)?.isKnown === true }));
}

function mayPersonApprove(
  { policy, people }: Known,
  about: { entry: LedgerEntry; standing: PaymentStanding; personId: string; alreadyApproved: readonly string[] },
): MayApprove {
  const { entry, standing, personId, alreadyApproved } = about;
  const person = people.get(personId);
  // Somebody approved between the question to Slack and now.
  if (!person) return { allowed: false, reason: APPROVAL_REFUSALS.overtaken };
  return explained(
    mayApprove({ ...approverOf(person), policy, standing, requesterId: entry.requesterId, alreadyApproved }),
    person,
  );
}

/** A person as the policy asks for them. */
export function approverOf(person: Person): Pick<ApproverInput, 'actor' | 'memberOfChannel'> {
  const { userId: id, teamId, isActivePerson, isGuest, isExternal, groupIds, isMember: memberOfChannel } = person;
  return { actor: { id, teamId, isActivePerson, isGuest, isExternal, groupIds }, memberOfChannel };
}

/** A refusal that may only come from what could not be found out says so. */
export function explained(answer: MayApprove, { problem }: Person): MayApprove {
  return answer.allowed || problem === null ? answer : { ...answer, reason: `${answer.reason} ${problem}` };
}
