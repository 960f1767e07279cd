import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayApprove, mayApproveSome, mayDecline } from '../../../src/policy/may-approve.ts';
import { actorOf, answerFor, policyFor, policyOf, standingOf, termsOf } from './policy-factories.ts';

const OUTSIDE = { memberOfChannel: false };

describe('mayApprove', () => {
  it.each([
    ['[requester]', actorOf('U1'), {}, true],
    ['[requester]', actorOf('U1'), OUTSIDE, true],
    ['[requester]', actorOf('U2'), {}, false],
    ['[requester]', actorOf('u1'), {}, false],
    ['[anyone]', actorOf('U2'), {}, true],
    ['[anyone]', actorOf('U1'), {}, true],
    ['[anyone]', actorOf('U2'), OUTSIDE, false],
    ['[not-the-requester]', actorOf('U2'), {}, true],
    ['[not-the-requester]', actorOf('U1'), {}, false],
    ['[not-the-requester]', actorOf('U2'), OUTSIDE, false],
    ['[anyone, not-the-requester]', actorOf('U1'), {}, false],
    ['[U2, U3]', actorOf('U3'), OUTSIDE, true],
    ['[U2, U3]', actorOf('U1'), {}, false],
    ['[U1, U3, not-the-requester]', actorOf('U1'), {}, false],
    ['[S1]', actorOf('U2', { groupIds: ['S9', 'S1'] }), {}, true],
    ['[S1]', actorOf('U2', { groupIds: ['S9'] }), {}, false],
    ['[S1]', actorOf('S1'), {}, false],
    ['[S1, not-the-requester]', actorOf('U1', { groupIds: ['S1'] }), {}, false],
    ['[S1, not-the-requester]', actorOf('U2'), {}, false],
    ['[requester, S1]', actorOf('U1'), {}, true],
    ['[anyone]', actorOf(''), {}, false],
  ])('by %s of %j, %j: %s', (approvers, actor, circumstances, isAllowed) => {
    expect(answerFor(actor, { policy: policyFor(approvers), ...circumstances }).allowed).toBe(isAllowed);
  });

  it.each([
    ['', { isGuest: true }, false],
    ['guests: allow', { isGuest: true }, true],
    ['', { isExternal: true, teamId: 'T2' }, false],
    ['slack-connect: allow', { isExternal: true, teamId: 'T2' }, true],
    ['slack-connect: [T22]', { isExternal: true, teamId: 'T22' }, true],
    ['slack-connect: [T22]', { isExternal: true, teamId: 'T2' }, false],
    ['slack-connect: []', { isExternal: true, teamId: 'T2' }, false],
    ['guests: allow', { isGuest: true, isExternal: true, teamId: 'T2' }, false],
    ['slack-connect: allow', { isGuest: true, isExternal: true, teamId: 'T2' }, false],
    ['guests: allow\nslack-connect: allow', { isGuest: true, isExternal: true, isActivePerson: false }, false],
    ['slack-connect: allow', { isExternal: true, isActivePerson: false }, false],
  ])('with "%s", of someone who is %j: %s', (setting, person, isAllowed) => {
    for (const approvers of ['[anyone]', '[U2]', '[S1]']) {
      const actor = actorOf('U2', { ...person, groupIds: ['S1'] });
      expect(answerFor(actor, { policy: policyFor(approvers, setting) }).allowed).toBe(isAllowed);
    }
  });

  it('denies a guest even what they asked for themselves', () => {
    expect(answerFor(actorOf('U1', { isGuest: true }), { policy: policyFor('[requester]') }).allowed).toBe(false);
  });

  it('wants two different people where the rule does', () => {
    const policy = policyFor('[S1]\n    count: 2');
    const one = actorOf('U2', { groupIds: ['S1'] });
    const two = actorOf('U3', { groupIds: ['S1'] });
    expect(answerFor(one, { policy }).allowed).toBe(true);
    expect(answerFor(one, { policy, alreadyApproved: ['U2'] })).toEqual({
      allowed: false,
      reason: 'You have approved it already. A different person has to as well.',
    });
    expect(answerFor(two, { policy, alreadyApproved: ['U2'] }).allowed).toBe(true);
    expect(answerFor(actorOf('U4', { groupIds: ['S1'] }), { policy, alreadyApproved: ['U2', 'U3'] }).allowed).toBe(
      false,
    );
  });

  it('refuses a second approval beside a first that the policy would not allow any more', () => {
    const second = actorOf('U3', { groupIds: ['S1'] });
    const answer = (approvers: string, first: string) =>
      answerFor(second, { policy: policyFor(`${approvers}\n    count: 2`), alreadyApproved: [first] }).allowed;
    expect(answer('[U2, U3]', 'U2')).toBe(true);
    expect(answer('[U4, U3]', 'U2')).toBe(false);
    expect(answer('[requester, U3]', 'U1')).toBe(true);
    expect(answer('[U2, U3]', 'U1')).toBe(false);
    expect(answer('[anyone]', 'U1')).toBe(true);
    expect(answer('[not-the-requester]', 'U1')).toBe(false);
    // Whether they are still in the group cannot be told from here.
    expect(answer('[S1]', 'U9')).toBe(true);
    expect(answer('[S1, not-the-requester]', 'U1')).toBe(false);
  });

  it('lets the requester be one of two where they are named, and only once', () => {
    const policy = policyFor('[requester, U2]\n    count: 2');
    expect(answerFor(actorOf('U1'), { policy }).allowed).toBe(true);
    expect(answerFor(actorOf('U2'), { policy, alreadyApproved: ['U1'] }).allowed).toBe(true);
    expect(answerFor(actorOf('U1'), { policy, alreadyApproved: ['U1'] }).allowed).toBe(false);
    expect(answerFor(actorOf('U3'), { policy, alreadyApproved: ['U1'] }).allowed).toBe(false);
  });

  it('refuses an approval that would go beyond a cap, whoever gives it', () => {
    const policy = policyFor('[anyone]', 'caps: { request: { USD: 20 } }');
    expect(answerFor(actorOf('U2'), { policy })).toEqual({
      allowed: false,
      reason: 'It would exceed the limit of 20 USD per request.',
    });
  });

  it('refuses what the policy declines', () => {
    const policy = policyOf('rules: [{ name: no, decline: Never. }]');
    expect(answerFor(actorOf('U1'), { policy })).toEqual({ allowed: false, reason: 'Never.' });
  });

  it('refuses to approve an option that was not said', () => {
    const given = { policy: policyFor('[anyone]'), terms: termsOf('1 USD', '2 USD') };
    expect(answerFor(actorOf('U2'), given).allowed).toBe(false);
    expect(answerFor(actorOf('U2'), { ...given, option: 1 }).allowed).toBe(true);
    const half = { ...given, terms: termsOf('1 USD', '1e9 USD') };
    expect(answerFor(actorOf('U2'), half).allowed).toBe(false);
  });
});

describe('a standing of several options', () => {
  const policy = policyOf(
    'rules:\n  - { name: small, when: { up-to: [20 USD] }, approvers: [requester] }\n  - { name: large, approvers: [S1] }',
  );
  const input = (id: string, more = {}) => ({
    policy,
    standing: standingOf({ policy, terms: termsOf('10 USD', '50 USD') }),
    actor: actorOf(id, more),
    requesterId: 'U1',
    memberOfChannel: true,
    alreadyApproved: [],
  });

  it('tells whether someone may approve one of them', () => {
    expect(mayApproveSome(input('U1'))).toEqual({ allowed: true });
    expect(mayApproveSome(input('U2', { groupIds: ['S1'] }))).toEqual({ allowed: true });
    expect(mayApproveSome(input('U3'))).toEqual({
      allowed: false,
      reason: 'The policy does not let you decide this payment.',
    });
  });

  it('can be declined by whoever may approve one of them', () => {
    expect(mayDecline(input('U1')).allowed).toBe(true);
    expect(mayDecline(input('U2', { groupIds: ['S1'] })).allowed).toBe(true);
    expect(mayDecline(input('U3')).allowed).toBe(false);
    expect(mayDecline(input('U1', { isGuest: true })).allowed).toBe(false);
  });

  it('can be declined beyond a cap and after an approval of one’s own', () => {
    const capped = policyFor('[U2]', 'caps: { request: { USD: 1 } }');
    const blocked = {
      ...input('U2'),
      policy: capped,
      standing: standingOf({ policy: capped }),
      alreadyApproved: ['U2'],
    };
    expect(mayDecline(blocked).allowed).toBe(true);
    expect(mayApprove(blocked).allowed).toBe(false);
    expect(mayApproveSome(blocked).allowed).toBe(false);
  });
});

describe('whatever the policy says', () => {
  const userId = fc.constantFrom('U1', 'U2', 'U3', 'U4');
  const groupId = fc.constantFrom('S1', 'S2', 'S3');
  const actor = fc.record({
    id: userId,
    teamId: fc.constantFrom('T1', 'T2'),
    isActivePerson: fc.boolean(),
    isGuest: fc.boolean(),
    isExternal: fc.boolean(),
    groupIds: fc.uniqueArray(groupId),
  });
  const circumstances = fc.record({
    memberOfChannel: fc.boolean(),
    alreadyApproved: fc.uniqueArray(userId, { maxLength: 2 }),
    requesterId: userId,
  });
  const named = fc.record({ users: fc.uniqueArray(userId), groups: fc.uniqueArray(groupId) });

  it('allows nobody outside the people and groups that are named', () => {
    fc.assert(
      fc.property(named, fc.boolean(), actor, circumstances, ({ users, groups }, isAskerOut, person, given) => {
        fc.pre(users.length + groups.length > 0);
        const policy = policyFor(`[${[...users, ...groups, ...(isAskerOut ? ['not-the-requester'] : [])].join(', ')}]`);
        const isNamed = users.includes(person.id) || person.groupIds.some((id) => groups.includes(id));
        const isStranger = !person.isActivePerson || person.isGuest || person.isExternal;
        const isLeftOut = isStranger || (isAskerOut && person.id === given.requesterId);
        const isOver = given.alreadyApproved.length > 0;
        expect(answerFor(person, { policy, ...given }).allowed).toBe(isNamed && !isLeftOut && !isOver);
      }),
      { numRuns: 500 },
    );
  });

  const denials = [
    'methods: { deny: [stripe] }',
    'methods: { deny: [skyfire] }',
    'methods: { allow: [fet_direct] }',
    'payees: { deny: [agent1qother] }',
    'payees: { allow: [agent1qother] }',
    'caps: { request: { USD: 30 } }',
    'caps: { user-per-day: { USD: 20 } }',
    'caps: { channel-per-day: { FET: 20 } }',
  ];

  it('never allows more once something is denied', () => {
    const approvers = fc.constantFrom(
      '[requester]',
      '[anyone]',
      '[not-the-requester]',
      '[U2, S1]',
      '[S1]\n    count: 2',
    );
    const base = fc.constantFrom('', 'guests: allow', 'slack-connect: allow', 'guests: allow\nslack-connect: [T2X]');
    const rule = fc.constantFrom(
      '',
      '  - { name: no, when: { channels: [C12] }, decline: no }\n',
      '  - { name: no, when: { over: [20 USD] }, decline: no }\n',
    );
    const denial = fc.constantFrom('', ...denials);
    fc.assert(
      fc.property(
        approvers,
        base,
        denial,
        rule,
        actor,
        circumstances,
        (who, settings, more, declining, person, given) => {
          const rules = (first: string) => `rules:\n${first}  - name: all\n    approvers: ${who}\n`;
          const before = answerFor(person, { policy: policyOf(`${settings}\n${rules('')}`), ...given });
          const after = answerFor(person, { policy: policyOf(`${settings}\n${more}\n${rules(declining)}`), ...given });
          if (!before.allowed) expect(after.allowed).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});
