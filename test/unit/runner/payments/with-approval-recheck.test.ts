import { describe, expect, it } from 'vitest';
import { type LedgerEntry, NOTHING_SPENT } from '../../../../src/domain/payment.ts';
import type { ApprovalRecheck, PeopleUnknown } from '../../../../src/domain/ports/approval-judge.ts';
import type { People } from '../../../../src/domain/ports/people.ts';
import type { Policy } from '../../../../src/policy/policy.ts';
import { withApprovalRecheck } from '../../../../src/runner/payments/with-approval-recheck.ts';
import { actorOf, policyFor } from '../../policy/policy-factories.ts';
import { anApproved } from '../../presenter/money-factories.ts';

const AT = new Date('2030-01-01T09:00:00Z');
const BY_U2 = policyFor('[U2]');
const BY_U3 = policyFor('[U3]');
const approved = anApproved({ approverIds: ['U2'] });
const allowedBefore = (agoMs: number): LedgerEntry => {
  return { ...approved, allowedAt: new Date(AT.getTime() - agoMs), policyDigest: BY_U2.digest };
};

type Written = { kind: 'written'; policyDigest: string } | { kind: 'withheld'; reason: string };

/** The recheck of an entry under policies that come into force one after another, each after one question to Slack. */
function recheck(entry: LedgerEntry, { policies = [BY_U2], approversTrustedForMs = 1_000 } = {}) {
  const asked: string[] = [];
  const people: People = {
    async lookUp({ userId }) {
      const { id: _id, ...account } = actorOf(userId);
      asked.push(userId);
      return { ...account, userId, isMember: true, isKnown: true, problem: null };
    },
  };
  const policy = (): Policy => policies[asked.length] ?? (policies.at(-1) as Policy);
  const write = async ({ judge }: ApprovalRecheck): Promise<Written | PeopleUnknown> => {
    const judgement = judge({ entry, spentToday: NOTHING_SPENT });
    if (judgement.kind === 'people-unknown') return { kind: 'people-unknown', entry };
    return judgement.kind === 'allowed' ? { ...judgement, kind: 'written' } : judgement;
  };
  const outcome = withApprovalRecheck<Written>({ policy, people, now: () => AT }, { approversTrustedForMs, write });
  return { outcome, asked };
}

describe('the recheck of an approval', () => {
  it.each([
    ['a moment ago', 999],
    ['by a process whose clock is ahead', -999],
  ])('asks Slack nothing where the policy allowed it %s', async (_when, agoMs) => {
    const { outcome, asked } = recheck(allowedBefore(agoMs));
    expect(await outcome).toEqual({ kind: 'written', policyDigest: BY_U2.digest });
    expect(asked).toEqual([]);
  });

  it.each<[string, LedgerEntry, number]>([
    ['that is not recent', allowedBefore(1_000), 1_000],
    ['whose time is as far ahead', allowedBefore(-1_000), 1_000],
    ['whose age does not matter', allowedBefore(0), 0],
    ['of which nobody noted by which policy', approved, 1_000],
    ['by another policy', { ...allowedBefore(0), policyDigest: BY_U3.digest }, 1_000],
  ])('asks Slack once about who gave one %s', async (_what, entry, approversTrustedForMs) => {
    const { outcome, asked } = recheck(entry, { approversTrustedForMs });
    expect(await outcome).toEqual({ kind: 'written', policyDigest: BY_U2.digest });
    expect(asked).toEqual(['U2']);
  });

  it('goes by the policy that is in force once Slack has answered', async () => {
    const { outcome, asked } = recheck(approved, { policies: [BY_U2, BY_U3] });
    expect(await outcome).toEqual({ kind: 'withheld', reason: '<@U2> has approved it, and may approve it no more.' });
    expect(asked).toEqual(['U2', 'U2']);
  });

  it('gives up where the policy changes under it again and again', async () => {
    const policies = [BY_U2, BY_U3, BY_U2, BY_U3];
    await expect(recheck(approved, { policies }).outcome).rejects.toThrow('changed again and again');
  });
});
