import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOTHING_SPENT, type SpentToday } from '../../../src/domain/payment.ts';
import { AGENT, type Case, OTHER_AGENT, policyFor, policyOf, standingOf, termsOf } from './policy-factories.ts';

const SELLER = `payees: [${AGENT}]`;

function ruleFor(given: Case): string {
  const standing = standingOf(given);
  return standing.kind === 'auto-decline' ? `declined: ${standing.reason}` : standing.rule;
}

/** Which of two rules decides: the one with this condition, or the one after it. */
function isMatched(when: string, given: Omit<Case, 'policy'> = {}): string {
  const policy = policyOf(
    `rules:\n  - { name: first, when: { ${when} }, approvers: [requester] }\n  - { name: rest, approvers: [anyone] }`,
  );
  return ruleFor({ policy, ...given });
}

function blockedReasons(given: Case): string[] {
  const standing = standingOf(given);
  return standing.kind === 'auto-decline' ? [] : standing.blockedOptions.map(({ reason }) => reason);
}

describe('rules', () => {
  it.each([
    ['channels: [C1]', {}, 'first'],
    ['channels: [C2]', {}, 'rest'],
    ['requesters: [U1, U2]', {}, 'first'],
    ['requesters: [U2]', {}, 'rest'],
    ['currencies: [usd]', {}, 'first'],
    ['currencies: [FET]', {}, 'rest'],
    ['over: [24.99 USD]', {}, 'first'],
    ['over: [25 usd]', {}, 'rest'],
    ['over: [1 FET, 25 USD]', {}, 'rest'],
    ['over: [1000 FET]', {}, 'first'],
    ['up-to: [25.00 USD]', {}, 'first'],
    ['up-to: [24.99 USD]', {}, 'rest'],
    ['up-to: [1000 FET]', {}, 'rest'],
    ['over: [20 USD], up-to: [30 USD]', {}, 'first'],
    ['over: [30 USD], up-to: [40 USD]', {}, 'rest'],
    ['methods: [Stripe]', {}, 'first'],
    ['methods: [fet-direct]', { terms: termsOf('25 USD FET_Direct') }, 'first'],
    ['methods: [skyfire]', {}, 'rest'],
    [SELLER, {}, 'first'],
    [SELLER, { terms: { ...termsOf('25 USD'), payeeAddress: `agent://${AGENT}` } }, 'first'],
    [SELLER, { terms: { ...termsOf('25 USD'), payeeAddress: AGENT.toUpperCase() } }, 'first'],
    [SELLER, { terms: { ...termsOf('25 USD'), payeeAddress: OTHER_AGENT } }, 'rest'],
    [SELLER, { terms: { ...termsOf('25 USD'), payeeAddress: OTHER_AGENT, payeeName: AGENT } }, 'rest'],
    [`channels: [C1], requesters: [U1], ${SELLER}`, {}, 'first'],
    [`channels: [C2], requesters: [U1], ${SELLER}`, {}, 'rest'],
  ])('with { %s } and %j match by the %s rule', (when, given, expected) => {
    expect(isMatched(when, given)).toBe(expected);
  });

  it('compares amounts that floats would confuse', () => {
    const terms = termsOf('0.300000000000000001 USD');
    expect(isMatched('up-to: [0.3 USD]', { terms })).toBe('rest');
  });

  it('refuses where a rule depends on a payee that is not told', () => {
    const terms = { ...termsOf('25 USD'), payeeAddress: null };
    expect(isMatched(SELLER, { terms })).toBe(
      'declined: The rule "first" depends on the payee, which is not plainly told.',
    );
    expect(isMatched(`channels: [C2], ${SELLER}`, { terms })).toBe('rest');
  });

  it('declines by itself, with its reason, where a rule says so', () => {
    const policy = policyOf(
      'rules:\n  - { name: no, when: { channels: [C1] }, decline: Not from here. }\n  - { name: rest, approvers: [anyone] }',
    );
    expect(standingOf({ policy })).toEqual({ kind: 'auto-decline', reason: 'Not from here.' });
    expect(ruleFor({ policy, channelId: 'C2' })).toBe('rest');
  });

  it('declines what no rule matches', () => {
    const policy = policyOf('rules:\n  - { name: a, when: { channels: [C9] }, approvers: [anyone] }');
    expect(ruleFor({ policy })).toBe('declined: No rule of the policy says who may approve it.');
  });

  it('declines what needs more people than the rule can name', () => {
    expect(ruleFor({ policy: policyFor('[U1, not-the-requester]') })).toContain('too few people');
    expect(ruleFor({ policy: policyFor('[U1, requester]\n    count: 2') })).toContain('too few people');
    expect(ruleFor({ policy: policyFor('[U2, requester]\n    count: 2') })).toBe('all');
  });

  it('never approves by itself', () => {
    expect(standingOf({ policy: policyFor('[anyone]'), requesterId: 'U1' }).kind).toBe('needs-approval');
  });
});

describe('hostile terms', () => {
  it.each(
    ['-25', '0', '1e3', 'NaN', 'Infinity', '1,000', '2 5', '', '9'.repeat(40), '0x10', '٢٥'].map((amount) => ({
      amount,
    })),
  )('are not payable with the amount $amount', ({ amount }) => {
    const terms = { ...termsOf('25 USD'), options: [{ amount, currency: 'USD', method: 'stripe' }] };
    expect(ruleFor({ policy: policyFor('[anyone]'), terms })).toMatch(/^declined: The amount is /);
  });

  it.each(['', '$', 'UЅD', 'US\u200bD', '__proto__'])('are not payable in the currency %j', (currency) => {
    const terms = { ...termsOf('25 USD'), options: [{ amount: '25', currency, method: 'stripe' }] };
    expect(ruleFor({ policy: policyFor('[anyone]'), terms })).toMatch(/^declined: The currency/);
  });

  it.each(['', 'ѕtripe', 'stri\u200bpe', '<stripe>', '[removed]'])('are not payable by the method %j', (method) => {
    const terms = { ...termsOf('25 USD'), options: [{ amount: '25', currency: 'USD', method }] };
    expect(ruleFor({ policy: policyFor('[anyone]'), terms })).toMatch(/^declined: The payment method/);
  });

  it('are never repeated in a reason', () => {
    const terms = { ...termsOf('25 USD'), options: [{ amount: '<!channel>', currency: '<!here>', method: '`' }] };
    expect(JSON.stringify(standingOf({ policy: policyFor('[anyone]'), terms }))).not.toMatch(/<|`/);
  });

  it('have no standing without an option, or for one that does not exist', () => {
    const policy = policyFor('[anyone]');
    expect(standingOf({ policy, terms: termsOf() }).kind).toBe('auto-decline');
    for (const option of [1, -1, 0.5, Number.NaN]) expect(standingOf({ policy, option }).kind).toBe('auto-decline');
  });
});

describe('lists', () => {
  it.each([
    ['methods: { allow: [stripe] }', true],
    ['methods: { allow: [skyfire] }', false],
    ['methods: { allow: [] }', false],
    ['methods: { deny: [skyfire] }', true],
    ['methods: { deny: [STRIPE] }', false],
    ['methods: { allow: [stripe], deny: [stripe] }', false],
    [`payees: { allow: [${AGENT}] }`, true],
    [`payees: { allow: [${OTHER_AGENT}] }`, false],
    [`payees: { deny: [${OTHER_AGENT}] }`, true],
    [`payees: { deny: ["agent://${AGENT}"] }`, false],
    [`payees: { allow: [${AGENT}], deny: [${AGENT}] }`, false],
  ])('%s lets the payment pass: %s', (lists, isPassed) => {
    expect(standingOf({ policy: policyFor('[anyone]', lists) }).kind).toBe(
      isPassed ? 'needs-approval' : 'auto-decline',
    );
  });

  const dressedUp = [`${AGENT}/`, `agent:${AGENT}`, `${AGENT}?to=1`, `x:${AGENT.toUpperCase()}`, `${AGENT}.`];

  it.each([null, '', 'Parcel Desk', 'agеnt1q', ...dressedUp])('of payees refuse a request to %j', (payeeAddress) => {
    const terms = { ...termsOf('25 USD'), payeeAddress };
    expect(ruleFor({ policy: policyFor('[anyone]', `payees: { deny: [${AGENT}] }`), terms })).toContain('whom it pays');
    expect(ruleFor({ policy: policyFor('[anyone]'), terms })).toBe('all');
  });
});

describe('options', () => {
  const policy = policyOf(
    'methods: { deny: [skyfire] }\nrules:\n  - { name: small, when: { up-to: [20 USD] }, approvers: [requester] }\n  - { name: large, approvers: [S1, S2], count: 2 }',
  );
  const terms = termsOf('10 USD', '50 USD', '10 USD skyfire');

  it('are each held to their own rule, and the card to the strictest', () => {
    expect(standingOf({ policy, terms })).toMatchObject({
      kind: 'needs-approval',
      rule: 'large',
      approversNeeded: 2,
      options: [
        { index: 0, rule: 'small', approversNeeded: 1 },
        { index: 1, rule: 'large', approversNeeded: 2 },
      ],
      blockedOptions: [{ index: 2, reason: 'The policy does not allow the payment method skyfire.' }],
    });
  });

  it('can be looked at one by one', () => {
    expect(standingOf({ policy, terms, option: 0 })).toMatchObject({
      rule: 'small',
      approversNeeded: 1,
      blockedOptions: [],
    });
    expect(standingOf({ policy, terms, option: 2 }).kind).toBe('auto-decline');
  });

  it('in a currency that no threshold names count as the most, and none is within an amount', () => {
    const thresholds = policyOf(
      'rules:\n  - { name: large, when: { over: [200 USD] }, approvers: [S1], count: 2 }\n  - { name: small, when: { up-to: [200 USD] }, approvers: [requester] }',
    );
    expect(standingOf({ policy: thresholds, terms: termsOf('200.00 usd', '0.01 FET') })).toMatchObject({
      rule: 'large',
      options: [{ rule: 'small' }, { rule: 'large', approversNeeded: 2 }],
    });
  });

  it('are declined together only when none is left, each with its reason', () => {
    expect(standingOf({ policy, terms: termsOf('1 USD skyfire', '1e3 USD') })).toEqual({
      kind: 'auto-decline',
      reason: expect.stringMatching(/^Option 1: .*skyfire\. Option 2: The amount is/),
    });
  });
});

describe('caps', () => {
  const spent = (amounts: Partial<SpentToday>): SpentToday => ({ ...NOTHING_SPENT, ...amounts });
  const usd = (...amounts: string[]) => amounts.map((amount) => ({ amount, currency: 'USD' }));

  it.each([
    ['request: { USD: 25 }', {}, false],
    ['request: { USD: 24.999999999999999999 }', {}, true],
    ['request: { USD: 0 }', {}, true],
    ['user-per-day: { usd: 100 }', { user: usd('75') }, false],
    ['user-per-day: { USD: 100 }', { user: usd('75.01') }, true],
    ['user-per-day: { USD: 100 }', { user: [{ amount: '50', currency: 'usd' }, ...usd('25.01')] }, true],
    ['user-per-day: { USD: 100 }', { user: [{ amount: '5000', currency: 'FET' }] }, false],
    ['user-per-day: { USD: 100 }', { channel: usd('99'), workspace: usd('99') }, false],
    ['channel-per-day: { USD: 100 }', { channel: usd('80') }, true],
    ['workspace-per-day: { USD: 100 }', { workspace: usd('80') }, true],
    ['workspace-per-day: { USD: 100 }', { workspace: usd('500') }, true],
    ['user-per-day: { USD: 100 }', { user: usd('NaN') }, true],
    ['user-per-day: { USD: 100 }', { user: usd('-1000') }, true],
    ['request: { FET: 100 }', {}, true],
    ['request: { FET: 100, other: deny }', {}, true],
    ['request: { FET: 100, other: unlimited }', {}, false],
  ])('{ %s } with %j spent block the approval: %s', (caps, amounts, isBlocked) => {
    const given = { policy: policyFor('[anyone]', `caps: { ${caps} }`), spentToday: spent(amounts) };
    expect(standingOf(given).kind).toBe('needs-approval');
    expect(blockedReasons(given)).toHaveLength(isBlocked ? 1 : 0);
  });

  it('are told with what is spent and left', () => {
    const policy = policyFor('[anyone]', 'caps: { request: { USD: 50 }, channel-per-day: { USD: 100 } }');
    expect(standingOf({ policy, spentToday: spent({ channel: usd('10.10', '20.20') }) })).toMatchObject({
      caps: [
        { name: 'request', limit: '50', spent: '0', currency: 'USD', left: '50' },
        { name: 'channel-per-day', limit: '100', spent: '30.3', currency: 'USD', left: '69.7' },
      ],
    });
  });

  it('name all limits that would be exceeded', () => {
    const policy = policyFor('[anyone]', 'caps: { request: { USD: 5 }, channel-per-day: { USD: 100 } }');
    expect(blockedReasons({ policy, spentToday: spent({ channel: usd('90') }) })).toEqual([
      'It would exceed the limit of 5 USD per request. It would exceed the limit of 100 USD per day in this channel, 90 USD of it used.',
    ]);
  });

  it('do not depend on the order of what was spent', () => {
    const policy = policyFor('[anyone]', 'caps: { user-per-day: { USD: 100 } }');
    const money = fc.record({
      amount: fc.constantFrom('0.1', '10', '24.9', '33.3'),
      currency: fc.constantFrom('USD', 'usd', 'FET'),
    });
    fc.assert(
      fc.property(fc.array(money, { maxLength: 12 }), (user) => {
        const one = standingOf({ policy, spentToday: spent({ user }) });
        expect(standingOf({ policy, spentToday: spent({ user: user.toReversed() }) })).toEqual(one);
      }),
    );
  });

  it('block exactly when the sum goes beyond the limit', () => {
    const cents = (value: number) => `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
    const amount = fc.integer({ min: 1, max: 5_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.array(amount, { maxLength: 8 }),
        amount,
        (limit, before, now) => {
          const given = {
            policy: policyFor('[anyone]', `caps: { user-per-day: { USD: ${cents(limit)} } }`),
            terms: termsOf(`${cents(now)} USD`),
            spentToday: spent({ user: usd(...before.map(cents)) }),
          };
          const sum = before.reduce((total, value) => total + value, now);
          expect(blockedReasons(given).length > 0).toBe(sum > limit);
        },
      ),
    );
  });
});

describe('a payee that another agent names', () => {
  const WALLET = 'fetch1wallet';
  const asked = (payeeAddress: string) => ({ ...termsOf('25 USD'), payeeAddress, askerAddress: OTHER_AGENT });

  it.each([
    ['the agent alone', WALLET, `{ allow: [${OTHER_AGENT}] }`],
    ['the wallet alone', WALLET, `{ allow: [${WALLET}] }`],
    ['the agent that is named alone', AGENT, `{ allow: [${AGENT}] }`],
  ])('is declined by a list that allows %s', (_what, payee, payees) => {
    const policy = policyFor('[requester]', `payees: ${payees}`);
    expect(standingOf({ policy, terms: asked(payee) })).toMatchObject({ kind: 'auto-decline' });
  });

  it('is declined by a list that denies who asks, whatever wallet it names', () => {
    const policy = policyFor('[requester]', `payees: { deny: [${OTHER_AGENT}] }`);
    expect(standingOf({ policy, terms: asked(WALLET) })).toMatchObject({
      kind: 'auto-decline',
      reason: expect.stringContaining('when this agent asks'),
    });
  });

  it('passes a list that allows both', () => {
    const policy = policyFor('[requester]', `payees: { allow: [${WALLET}, ${OTHER_AGENT}] }`);
    expect(standingOf({ policy, terms: asked(WALLET) })).toMatchObject({ kind: 'needs-approval' });
  });

  it.each([
    ['both', `[${WALLET}, ${OTHER_AGENT}]`, 'needs-approval'],
    ['neither', `[${AGENT}]`, 'needs-approval'],
    ['the wallet alone', `[${WALLET}]`, 'auto-decline'],
    ['who asks alone', `[${OTHER_AGENT}]`, 'auto-decline'],
  ])('ends at no laxer rule than the one that names %s', (_what, payees, kind) => {
    const rules = `rules:
  - { name: some, when: { payees: ${payees} }, approvers: [U1] }
  - { name: all else, approvers: [anyone] }
`;
    expect(standingOf({ policy: policyOf(rules), terms: asked(WALLET) })).toMatchObject({ kind });
  });
});
