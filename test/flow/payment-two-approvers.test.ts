import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { hasButtons } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob, carol } = SANDBOX.users;
const { general, random } = SANDBOX.channels;

const TWO = 'guests: allow\nrules: [{ name: two, approvers: [anyone], count: 2 }]\n';
const policy = policyFile(TWO);
const stage = useStage({ env: { POLICY_FILE: policy.path }, planner: { scenario: 'answer-only' } });
const pay = createPayments(stage);

async function rules(text: string): Promise<void> {
  policy.write(text);
  await stage.reloadPolicy();
}

/** Everybody has the window open, and all send it at once. */
async function approveTogether(thread: { channel: string; ts: string }, users: string[]): Promise<void> {
  const views = [];
  for (const user of users) views.push({ user, viewId: (await pay.open(thread, 'Approve…', { user })).id });
  await Promise.all(views.map((view) => stage.slack.submitView(view)));
}

describe('a payment that takes two people', () => {
  it('takes one person for an option that needs one, beside another that needs two', async () => {
    await rules(
      'rules: [{ name: small, when: { up-to: [5 USD] }, approvers: [requester] }, { name: two, approvers: [anyone], count: 2 }]\n',
    );
    const thread = await pay.ask('one-beside-two', paymentScript(['2.00 USD', '20 FET fet_direct']));
    await pay.open(thread, 'Approve…');
    await stage.slack.submitView({ values: { payment_option: '0' } });
    await pay.answered(thread, 'Heard: I approve the payment of 2.00 USD');
    await rules(TWO);
  });

  it('shows the first approval on its card, tells the first person, and waits for somebody else', async () => {
    const thread = await pay.ask('two-people', paymentScript('2.00 USD'));
    expect(pay.cardText(thread)).toContain('0 of 2 approvals');
    await pay.approve(thread);
    expect(pay.windowText()).toContain('It takes one more, by someone else');
    await pay.says(thread, `Approved by <@${alice}>. 1 more`);
    expect(hasButtons(pay.cardOf(thread))).toBe(true);
    expect(pay.statusText(thread)).toContain('Waiting for');
    expect(pay.requestsFor('two-people')).toHaveLength(1);
    await pay.closeWindows();
    expect(await pay.press(thread, 'Approve…')).toContain('You have approved it already');
    await pay.approve(thread, { user: bob });
    await pay.says(thread, `<@${alice}> and <@${bob}> approved`);
    await pay.answered(thread, 'Heard: I approve the payment');
    expect(pay.requestsFor('two-people')).toHaveLength(2);
  });

  it('does not take two approvals of one person, from two windows at once', async () => {
    const thread = await pay.ask('two-of-one', paymentScript('2.00 USD'), random);
    const view = await pay.open(thread, 'Approve…');
    const send = () => stage.slack.submitView({ viewId: view.id, stale: true });
    await Promise.all([send(), send(), send()]);
    await pay.says(thread, '1 of 2 approvals');
    expect(hasButtons(pay.cardOf(thread))).toBe(true);
    expect(pay.requestsFor('two-of-one')).toHaveLength(1);
  });

  it('takes the first two of three that race, and tells the third that it is decided', async () => {
    const thread = await pay.ask('two-of-three', paymentScript('2.00 USD'), general);
    await approveTogether(thread, [alice, bob, carol]);
    await pay.answered(thread, 'Heard: I approve');
    expect(pay.requestsFor('two-of-three')).toHaveLength(2);
    const named = [alice, bob, carol].filter((user) => pay.cardText(thread).includes(`<@${user}>`));
    expect(named).toHaveLength(2);
    const windows = [alice, bob, carol].map((user) => pay.windowText(user)).join('\n');
    expect(windows).toMatch(/already approved|all the approvals/);
  });

  it('takes one thing: the second person cannot approve another option than the first', async () => {
    const thread = await pay.ask('two-options', paymentScript(['2 USD stripe', '3 EUR stripe']), random);
    await pay.closeWindows();
    await pay.approve(thread, { values: { 'Pay which way?': '2. 3 EUR (stripe)' } });
    await pay.says(thread, `Approved by <@${alice}>`);
    expect(pay.cardText(thread)).toContain(`Approved by <@${alice}>: option 2, 3 EUR (stripe). No other`);
    await pay.approve(thread, { user: bob, values: { 'Pay which way?': '1. 2 USD (stripe)' } });
    expect(pay.windowText(bob)).toContain('another of the options');
    await pay.closeWindows(bob);
    expect(pay.requestsFor('two-options')).toHaveLength(1);
    await pay.approve(thread, { user: bob, values: { 'Pay which way?': '2. 3 EUR (stripe)' } });
    await pay.answered(thread, '3 EUR by stripe');
  });

  it('asks the second person to try again while Slack does not say who the first one is', async () => {
    const thread = await pay.ask('first-unknown', paymentScript('2.00 USD'));
    await pay.approve(thread);
    await pay.says(thread, `Approved by <@${alice}>. 1 more`);
    await pay.closeWindows();
    const view = await pay.open(thread, 'Approve…', { user: bob });
    stage.slack.delayNext({ method: 'users.info', delayMs: 5_000, match: ({ user }) => user === alice });
    await stage.slack.submitView({ user: bob, viewId: view.id });
    await stage.slack.waitFor(() => pay.windowText(bob).includes('Please try again'));
    expect(pay.windowText(bob)).not.toContain('does not count any more');
    await pay.closeWindows(bob);
    await pay.approve(thread, { user: bob });
    await pay.answered(thread, 'Heard: I approve the payment');
  });

  it('can be declined by one after the first approval, and the planner hears of the refusal alone', async () => {
    const thread = await pay.ask('two-declined', paymentScript('2.00 USD'));
    await pay.closeWindows();
    await pay.approve(thread);
    await pay.says(thread, '1 of 2 approvals');
    await pay.decline(thread, { user: bob, reason: 'no budget' });
    await pay.answered(thread, 'Heard: I decline');
    expect(pay.cardText(thread)).toContain(`<@${bob}> declined`);
    expect(pay.cardText(thread)).toContain('no budget');
    expect(JSON.stringify(pay.requestsFor('two-declined').at(-1)?.messages)).not.toContain('I approve');
  });

  it('says when it is stopped that one of two had approved', async () => {
    const thread = await pay.ask('two-stopped', paymentScript('2.00 USD'));
    await pay.closeWindows();
    await pay.approve(thread);
    await pay.says(thread, '1 of 2 approvals');
    await stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text: 'Stop' });
    await stage.slack.waitFor(() => pay.statusText(thread).includes('*Stopped*'));
    await pay.says(thread, 'One of two approvals had been given');
    expect(pay.statusText(thread)).toContain(`one of two approvals had been given, by <@${alice}>`);
    expect(hasButtons(pay.cardOf(thread))).toBe(false);
  });

  it('keeps asking for two when the policy becomes milder meanwhile', async () => {
    const thread = await pay.ask('two-milder', paymentScript('2.00 USD'));
    await pay.closeWindows();
    await rules('rules: [{ name: one, approvers: [anyone] }]\n');
    await pay.approve(thread);
    expect(pay.windowText()).toContain('It takes one more');
    await pay.approve(thread, { user: bob });
    await pay.answered(thread, 'Heard: I approve');
    await rules(TWO);
  });
});

const OPEN = 'rules: [{ name: all, approvers: [requester] }]\n';

describe('two payments that race for one cap', () => {
  it.each([
    ['user-per-day', 'AAA', [general, random]],
    ['channel-per-day', 'BBB', [random, random]],
    ['workspace-per-day', 'CCC', [general, random]],
  ] as const)(
    'of %s: one fits, the other is told why not and can still be declined',
    async (cap, currency, channels) => {
      await pay.closeWindows();
      await rules(`caps: { ${cap}: { ${currency}: 5, other: unlimited } }\n${OPEN}`);
      const script = paymentScript(`3.00 ${currency}`);
      const one = await pay.ask(`${cap}-one`, script, channels[0]);
      const two = await pay.ask(`${cap}-two`, script, channels[1]);
      const first = await pay.open(one, 'Approve…');
      const second = await pay.open(two, 'Approve…');
      const answers = await Promise.all(
        [first, second].map(({ id }) => stage.slack.submitView({ viewId: id, stale: true })),
      );
      const refused = answers.filter(({ body }) => JSON.stringify(body).includes('would exceed'));
      expect(refused).toHaveLength(1);
      const isFirstRefused = refused[0] === answers[0];
      const [lucky, unlucky] = isFirstRefused ? [two, one] : [one, two];
      await pay.answered(lucky, 'Heard: I approve');
      expect(hasButtons(pay.cardOf(unlucky))).toBe(true);
      expect(await pay.press(unlucky, 'Approve…')).toMatch(/would exceed the limit/);
      await pay.decline(unlucky);
      await pay.answered(unlucky, 'Heard: I decline');
    },
  );

  it('of a single request: an amount above it is never approved', async () => {
    await rules(`caps: { request: { USD: 5, other: unlimited } }\n${OPEN}`);
    const thread = await pay.ask('request-cap', paymentScript('5.01 USD'));
    expect(pay.cardText(thread)).toContain('cannot be approved');
    expect(await pay.press(thread, 'Approve…')).toMatch(/5 USD/);
    await pay.decline(thread);
    await pay.answered(thread, 'Heard: I decline');
  });
});
