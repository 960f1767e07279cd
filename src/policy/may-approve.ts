import { APPROVAL_REFUSALS } from './approval-refusals.ts';
import type { OptionStanding, PaymentStanding } from './evaluate.ts';
import type { Policy, WhoMayApprove } from './policy.ts';

/**
 * Who clicked, as Slack knows them. `isActivePerson` means neither an app nor a deactivated account, `isExternal` of
 * another workspace, in a shared channel; `groupIds` are the user groups that they are in. What could not be found out
 * counts against them: no active person, a guest, external.
 */
export type PolicyActor = {
  id: string;
  teamId: string;
  isActivePerson: boolean;
  isGuest: boolean;
  isExternal: boolean;
  groupIds: readonly string[];
};

export type ApproverInput = {
  policy: Policy;
  standing: PaymentStanding;
  actor: PolicyActor;
  requesterId: string;
  /** Of the channel that the payment is asked for in. */
  memberOfChannel: boolean;
  /** Who has approved this payment so far. */
  alreadyApproved: readonly string[];
};

/** `reason` is a sentence for the person themselves. */
export type MayApprove = { allowed: true } | { allowed: false; reason: string };

/**
 * Whether someone may approve the option that `standing` was evaluated for, now. Pure. A standing of several options
 * says nothing of the one that is approved, and is refused: evaluate it again with that option.
 */
export function mayApprove(input: ApproverInput): MayApprove {
  const { standing } = input;
  if (standing.kind === 'auto-decline') return refuse(standing.reason);
  const [option] = standing.options;
  if (!option || standing.options.length + refusedCount(standing) !== 1) {
    return refuse('It is not clear which option is to be approved.');
  }
  return mayApproveOption(input, option);
}

/** Whether someone may approve one of the payment's options now. Which of them is asked again when it is approved. */
export function mayApproveSome(input: ApproverInput): MayApprove {
  const { standing } = input;
  if (standing.kind === 'auto-decline') return refuse(standing.reason);
  const answers = standing.options.map((option) => mayApproveOption(input, option));
  return oneOf(answers, 'The policy lets nobody approve it.');
}

/**
 * Whether someone may decline the payment: who may approve one of its options, be it blocked by a cap, and whoever has
 * approved it already. One that a policy read since would decline by itself is whoever asked's to decline.
 */
export function mayDecline(input: ApproverInput): MayApprove {
  const { standing } = input;
  if (standing.kind === 'auto-decline') return mayDecide(input, ONLY_THE_REQUESTER);
  const answers = standing.options.map(({ whoMayApprove }) => mayDecide(input, whoMayApprove));
  return oneOf(answers, 'The policy lets nobody decide it.');
}

/** Allowed if one of the answers is; else the first reason. */
function oneOf(answers: readonly MayApprove[], reasonWithout: string): MayApprove {
  return answers.find(({ allowed }) => allowed) ?? answers[0] ?? refuse(reasonWithout);
}

const ONLY_THE_REQUESTER: WhoMayApprove = {
  requester: true,
  anyone: false,
  users: [],
  groups: [],
  notTheRequester: false,
};

function refusedCount(standing: Extract<PaymentStanding, { kind: 'needs-approval' }>): number {
  const indexes = standing.options.map(({ index }) => index);
  return standing.blockedOptions.filter(({ index }) => !indexes.includes(index)).length;
}

function mayApproveOption(input: ApproverInput, option: OptionStanding): MayApprove {
  const answer = mayDecide(input, option.whoMayApprove);
  if (!answer.allowed) return answer;
  if (option.blocked !== null) return refuse(option.blocked);
  const approved = new Set(input.alreadyApproved);
  if (approved.has(input.actor.id)) return refuse(APPROVAL_REFUSALS['approved-before']);
  if (approved.size >= option.approversNeeded) return refuse('It has all the approvals that it needs.');
  if (![...approved].every((id) => couldBeNamed(id, input.requesterId, option.whoMayApprove))) {
    return refuse('An earlier approval was by someone who may not approve it any more. Decline it and ask again.');
  }
  return { allowed: true };
}

/** Whether an earlier approval may still count after a change of the policy. Of groups only the person can be asked. */
function couldBeNamed(id: string, requesterId: string, who: WhoMayApprove): boolean {
  if (id === requesterId && who.notTheRequester) return false;
  return who.anyone || who.groups.length > 0 || who.users.includes(id) || (who.requester && id === requesterId);
}

function mayDecide(input: ApproverInput, who: WhoMayApprove): MayApprove {
  const { policy, actor, requesterId } = input;
  if (actor.id === '' || requesterId === '') return refuse('It is not clear who you are or who asked for it.');
  if (actor.isGuest && policy.guests !== 'allow') return refuse('Guests may not decide payments.');
  if (actor.isExternal && !isTeamAllowed(policy, actor.teamId)) {
    return refuse('People from other workspaces may not decide payments.');
  }
  if (!actor.isActivePerson) return refuse('Only people with an active account may decide payments.');
  if (who.notTheRequester && actor.id === requesterId) return refuse('Whoever asked for a payment may not decide it.');
  return isNamed(input, who) ? { allowed: true } : refuse('The policy does not let you decide this payment.');
}

function isTeamAllowed({ slackConnect }: Policy, teamId: string): boolean {
  return slackConnect === 'allow' || (slackConnect !== 'deny' && slackConnect.includes(teamId));
}

function isNamed({ actor, requesterId, memberOfChannel }: ApproverInput, who: WhoMayApprove): boolean {
  return (
    (who.requester && actor.id === requesterId) ||
    (who.anyone && memberOfChannel) ||
    who.users.includes(actor.id) ||
    actor.groupIds.some((groupId) => who.groups.includes(groupId))
  );
}

function refuse(reason: string): { allowed: false; reason: string } {
  return { allowed: false, reason };
}
