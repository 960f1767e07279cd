import { describe, expect, it } from 'vitest';
import { describeApprovers, describeBlocked, describeCaps, describeStanding } from '../../../src/policy/describe.ts';
import { explainPayment } from '../../../src/policy/explain.ts';
import { policyFor, policyOf, standingOf, termsOf } from './policy-factories.ts';

const NAMING = {
  requesterId: 'U1',
  mention: (id: string) => `@${id}`,
  groupName: (id: string) => (id === 'S1' ? 'finance' : id),
};

function words(approvers: string): string {
  const effect = policyFor(approvers).rules[0]?.effect;
  if (effect?.kind !== 'approval') throw new Error('not an approval');
  return describeApprovers(effect.who, { ...NAMING, approversNeeded: effect.approversNeeded });
}

describe('describeApprovers', () => {
  it.each([
    ['[requester]', '@U1 (who asked)'],
    ['[anyone]', 'anyone in this channel'],
    ['[not-the-requester]', 'anyone in this channel, but not @U1 (who asked)'],
    ['[U2, U3]', '@U2, or @U3'],
    ['[U1, U3]', '@U1 (who asked), or @U3'],
    ['[U1, U3, not-the-requester]', '@U3, but not @U1 (who asked)'],
    ['[requester, U2, S1]', '@U1 (who asked), or @U2, or members of finance'],
    ['[S1, not-the-requester]\n    count: 2', '2 different people of: members of finance, but not @U1 (who asked)'],
  ])('says %s in plain words', (approvers, text) => {
    expect(words(approvers)).toBe(text);
  });

  it('mentions people and never a whole group', () => {
    const effect = policyFor('[U2, S1]').rules[0]?.effect;
    if (effect?.kind !== 'approval') throw new Error('not an approval');
    const text = describeApprovers(effect.who, { requesterId: 'U1', approversNeeded: 1 });
    expect(text).toBe('<@U2>, or members of the user group S1');
  });
});

describe('texts of a standing', () => {
  const policy = policyOf(
    'caps: { request: { USD: 40, FET: 5 }, channel-per-day: { USD: 100, other: unlimited } }\nrules:\n  - { name: small, when: { up-to: [20 USD] }, approvers: [requester] }\n  - { name: large, approvers: [S1] }',
  );
  const standing = standingOf({
    policy,
    terms: termsOf('10 USD', '50 USD', '1 FET'),
    spentToday: { user: [], channel: [{ amount: '12', currency: 'USD' }], workspace: [] },
  });

  it('say who may approve which option', () => {
    expect(describeStanding(standing, NAMING)).toBe('option 1: @U1 (who asked); option 2, 3: members of finance');
  });

  it('say what is spent', () => {
    expect(describeCaps(standing.kind === 'needs-approval' ? standing.caps : [])).toEqual([
      'Per request: up to 40 USD',
      'Today in this channel: 12 of 100 USD',
      'Per request: up to 5 FET',
    ]);
  });

  it('say what cannot be approved', () => {
    expect(describeBlocked(standing, 3)).toEqual([
      'Option 2 cannot be approved: It would exceed the limit of 40 USD per request.',
    ]);
  });
});

describe('explainPayment', () => {
  it('says who could approve what, by which rule, and why not by those before it', () => {
    const policy = policyOf(
      'slack-connect: [T12]\ncaps: { request: { USD: 20 } }\nrules:\n  - { name: small, when: { up-to: [20 USD] }, approvers: [requester] }\n  - { name: large, approvers: [S1], count: 2 }',
    );
    expect(explainPayment({ policy, terms: termsOf('25 USD'), requesterId: 'U1', channelId: 'C1' })).toEqual([
      'Policy:   policy.yml (2 rules)',
      'Verdict:  needs approval by 2 different people of: members of the user group S1',
      'Rule:     large',
      'Blocked:  It cannot be approved: It would exceed the limit of 20 USD per request.',
      'Why:      rule 1 "small" is for up to 20 USD',
      'Why:      rule 2 "large" matches',
      'Cap:      Per request: up to 20 USD',
      'Never:    guests',
      'Never:    people from other workspaces than T12',
    ]);
  });

  it('names no rules where none was asked', () => {
    const policy = policyFor('[anyone]', 'methods: { deny: [stripe] }');
    expect(explainPayment({ policy, terms: termsOf('25 USD'), requesterId: 'U1', channelId: 'C1' })).toEqual([
      'Policy:   policy.yml (1 rule)',
      'Verdict:  declined by the policy, nobody is asked: The policy does not allow the payment method stripe.',
    ]);
  });

  it('says why nobody could', () => {
    const policy = policyOf('rules:\n  - { name: no, when: { over: [1 FET] }, decline: Never. }');
    expect(explainPayment({ policy, terms: termsOf('25 USD'), requesterId: 'U1', channelId: 'C1' })).toContain(
      'Verdict:  declined by the policy, nobody is asked: Never.',
    );
  });
});
