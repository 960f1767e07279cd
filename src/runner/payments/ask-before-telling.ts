import { dayStartOf, type LedgerEntry } from '../../domain/payment.ts';
import type { ApprovalFacts, NotTold, Telling, TellingJudgement } from '../../domain/ports/approval-judge.ts';
import type { Person } from '../../domain/ports/people.ts';
import { evaluatePayment } from '../../policy/evaluate.ts';
import type { Policy } from '../../policy/policy.ts';
import type { RunnerParts } from '../context.ts';
import { judgeRecorded } from './judge-approval.ts';
import { lookUpPeople } from './look-up-people.ts';

/** An approval that the policy in force has allowed this recently needs no second look at who gave it. */
export const RECENT_MS = 60_000;

/** One without asking Slack, one with it, and one for a policy that is read again meanwhile. */
const TRIES = 3;

/** Who approved a payment, as Slack knew them a moment ago for what `policy` wants to know. */
type Asked = { pauseId: string; policy: Policy; people: ReadonlyMap<string, Person> };

type Asking<Outcome> = {
  /** How old the word of the policy in force may be; 0 asks Slack in any case. */
  recentMs: number;
  write: (telling: Telling) => Promise<Outcome>;
};

/**
 * Makes a write after which the planner may hear an approval, under a judge that asks the policy in force whether it
 * still allows it: the payment, its sums, and those who approved it, as Slack knows them now. The write comes first
 * without Slack, which most legs do not need, and again once Slack was asked.
 *
 * @throws an Error when the policy changes under it again and again
 */
export async function askBeforeTelling<Outcome extends { kind: string }>(
  deps: Pick<RunnerParts, 'policy' | 'people' | 'now'>,
  { recentMs, write }: Asking<Outcome | Extract<NotTold, { kind: 'people-unknown' }>>,
): Promise<Outcome> {
  let asked: Asked | null = null;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const at = deps.now();
    const known: Asked | null = asked;
    const judge = (facts: ApprovalFacts) => judgeNow({ policy: deps.policy(), at, recentMs, asked: known }, facts);
    const outcome = await write({ at, dayStart: dayStartOf(at), judge });
    if (!isAsking(outcome)) return outcome;
    asked = await askWhoApproved(deps, outcome.entry);
  }
  throw new Error('The policy changed again and again while an approval was looked at');
}

function isAsking(outcome: { kind: string }): outcome is Extract<NotTold, { kind: 'people-unknown' }> {
  return outcome.kind === 'people-unknown';
}

type Now = { policy: Policy; at: Date; recentMs: number; asked: Asked | null };

function judgeNow({ policy, at, recentMs, asked }: Now, facts: ApprovalFacts): TellingJudgement {
  const { pauseId, allowedAt, policyDigest } = facts.entry;
  const isRecent = allowedAt !== null && Math.abs(at.getTime() - allowedAt.getTime()) < recentMs;
  if (isRecent && policyDigest === policy.digest) return { kind: 'allowed', policyDigest };
  if (asked?.pauseId !== pauseId || asked.policy !== policy) return { kind: 'people-unknown' };
  return judgeRecorded({ policy, people: asked.people }, facts);
}

const NOTHING_SPENT = { user: [], channel: [], workspace: [] };

async function askWhoApproved(deps: Pick<RunnerParts, 'policy' | 'people'>, entry: LedgerEntry): Promise<Asked> {
  const policy = deps.policy();
  const { terms, requesterId, channelId, optionIndex: option } = entry;
  // Only for whom it names; the sums are looked at under the locks.
  const standing = evaluatePayment({ policy, terms, option, requesterId, channelId, spentToday: NOTHING_SPENT });
  const people = await lookUpPeople(deps, { entry, standing, userIds: entry.approverIds });
  return { pauseId: entry.pauseId, policy, people };
}
