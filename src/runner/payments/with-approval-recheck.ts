import { dayStartOf, type LedgerEntry, NOTHING_SPENT } from '../../domain/payment.ts';
import type { ApprovalRecheck, PeopleUnknown } from '../../domain/ports/approval-judge.ts';
import type { Person } from '../../domain/ports/people.ts';
import { evaluatePayment } from '../../policy/evaluate.ts';
import type { Policy } from '../../policy/policy.ts';
import type { RunnerParts } from '../context.ts';
import { judgeRecorded } from './judge-approval.ts';
import { lookUpPeople } from './look-up-people.ts';

/** For how long those whom the policy has let approve need no second look, while that policy is in force. */
export const APPROVERS_TRUSTED_FOR_MS = 60_000;

/** One without asking Slack, one with it, and one for a policy that is read again meanwhile. */
const TRIES = 3;

type RecheckedWrite<Outcome> = {
  /** For how long whoever was let approve needs no second look; 0 asks Slack in any case. */
  approversTrustedForMs: number;
  write: (recheck: ApprovalRecheck) => Promise<Outcome | PeopleUnknown>;
};

/**
 * Makes a write after which the planner may hear an approval, with a recheck of that approval by the policy in force:
 * the payment, its sums, and those who approved it, as Slack knows them now. The write is tried without Slack first,
 * which most legs do not need, and made again once Slack was asked.
 *
 * @throws an Error when the policy changes under it again and again
 */
export async function withApprovalRecheck<Outcome extends { kind: string }>(
  deps: Pick<RunnerParts, 'policy' | 'people' | 'now'>,
  { approversTrustedForMs, write }: RecheckedWrite<Outcome>,
): Promise<Outcome> {
  let approvers: Approvers | null = null;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const outcome = await write(createRecheck(deps, { approversTrustedForMs, approvers }));
    if (!isPeopleUnknown(outcome)) return outcome;
    approvers = await lookUpApprovers(deps, outcome.entry);
  }
  throw new Error('The policy changed again and again while an approval was rechecked');
}

function isPeopleUnknown(outcome: { kind: string }): outcome is PeopleUnknown {
  return outcome.kind === 'people-unknown';
}

/** Who approved a payment, as Slack knew them a moment ago, as far as `policy` wants to know. */
type Approvers = { pauseId: string; policy: Policy; people: ReadonlyMap<string, Person> };

function createRecheck(
  deps: Pick<RunnerParts, 'policy' | 'now'>,
  { approversTrustedForMs, approvers }: { approversTrustedForMs: number; approvers: Approvers | null },
): ApprovalRecheck {
  const at = deps.now();
  return {
    at,
    dayStart: dayStartOf(at),
    judge(facts) {
      const policy = deps.policy();
      const { pauseId, allowedAt, policyDigest } = facts.entry;
      // Either way round: another process's clock may be ahead.
      const isRecent = allowedAt !== null && Math.abs(at.getTime() - allowedAt.getTime()) < approversTrustedForMs;
      if (isRecent && policyDigest === policy.digest) return judgeRecorded({ policy, people: null }, facts);
      if (approvers?.pauseId !== pauseId || approvers.policy !== policy) return { kind: 'people-unknown' };
      return judgeRecorded(approvers, facts);
    },
  };
}

async function lookUpApprovers(deps: Pick<RunnerParts, 'policy' | 'people'>, entry: LedgerEntry): Promise<Approvers> {
  const policy = deps.policy();
  const { terms, requesterId, channelId, optionIndex: option } = entry;
  // Only for whom it names; the sums are looked at under the locks.
  const standing = evaluatePayment({ policy, terms, option, requesterId, channelId, spentToday: NOTHING_SPENT });
  const people = await lookUpPeople(deps, { entry, standing, userIds: entry.approverIds });
  return { pauseId: entry.pauseId, policy, people };
}
