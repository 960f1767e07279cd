import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { useStage } from './stage.ts';

const { alice, bob, carol, dave } = SANDBOX.users;
const { random, shared, general } = SANDBOX.channels;
const { finance } = SANDBOX.userGroups;

const LISTS = `methods: { deny: [cash] }
payees: { deny: [agent1qbad] }
`;
const policy = policyFile('rules: [{ name: all, approvers: [requester] }]\n');
const stage = useStage({ env: { POLICY_FILE: policy.path }, planner: { scenario: 'answer-only' } });
const pay = createPayments(stage);

/** From here on these rules hold. */
async function rules(text: string): Promise<void> {
  policy.write(text);
  await stage.reloadPolicy();
}

async function askIn(channel: string, words: string, script = paymentScript('2.00 USD')) {
  return pay.ask(words, script, channel);
}

describe('who may approve', () => {
  it('by id: nobody else, not even whoever asked, and the card says whom it waits for', async () => {
    await rules(`rules: [{ name: bob, approvers: [${bob}] }]\n`);
    const thread = await askIn(general, 'by-id');
    expect(pay.cardText(thread)).toContain(`*Who may decide:* <@${bob}>`);
    for (const button of ['Approve…', 'Decline']) {
      expect(await pay.press(thread, button)).toContain('does not let you decide');
    }
    expect(pay.cardOf(thread).versions).toHaveLength(1);
    await pay.approve(thread, { user: bob });
    await pay.says(thread, `<@${bob}> approved`);
    await pay.answered(thread, 'Heard: I approve the payment of 2.00 USD');
  });

  it('by group: its members of this moment', async () => {
    await rules(`rules: [{ name: finance, approvers: [${finance}] }]\n`);
    const thread = await askIn(general, 'by-group');
    expect(pay.cardText(thread)).toContain(finance);
    expect(stage.slack.pings(pay.cardOf(thread))).toEqual([]);
    expect(await pay.press(thread, 'Approve…')).toContain('does not let you');
    stage.slack.setUserGroup(finance, []);
    expect(await pay.press(thread, 'Approve…', { user: bob })).toContain('does not let you');
    stage.slack.setUserGroup(finance, [bob]);
    await pay.approve(thread, { user: bob });
    await pay.says(thread, `<@${bob}> approved`);
  });

  it('anyone: members of the channel alone', async () => {
    await rules('rules: [{ name: anyone, approvers: [anyone] }]\n');
    const thread = await askIn(random, 'by-anyone');
    const view = await pay.open(thread, 'Approve…', { user: bob });
    stage.slack.changeChannel(random, { members: [SANDBOX.botUserId, alice] });
    await stage.slack.submitView({ user: bob, viewId: view.id });
    expect(pay.windowText(bob)).toContain('does not let you');
    stage.slack.changeChannel(random, { members: [SANDBOX.botUserId, alice, bob] });
    await pay.closeWindows(bob);
    await pay.approve(thread, { user: bob });
    await pay.says(thread, `<@${bob}> approved`);
  });

  it('not the requester: whoever asked may neither approve nor decline', async () => {
    await rules('rules: [{ name: other, approvers: [not-the-requester] }]\n');
    const thread = await askIn(random, 'by-other');
    for (const button of ['Approve…', 'Decline'])
      expect(await pay.press(thread, button)).toContain('Whoever asked for a payment may not decide it');
    await pay.decline(thread, { user: bob });
    await pay.says(thread, `<@${bob}> declined`);
  });

  it('no guest and nobody of another workspace, until the policy lets them', async () => {
    await rules('rules: [{ name: anyone, approvers: [anyone] }]\n');
    const guests = await askIn(general, 'by-guest');
    const partners = await askIn(shared, 'by-partner');
    expect(await pay.press(guests, 'Approve…', { user: carol })).toContain('Guests may not');
    expect(await pay.press(partners, 'Approve…', { user: dave })).toContain('other workspaces may not');
    await rules('guests: allow\nslack-connect: allow\nrules: [{ name: anyone, approvers: [anyone] }]\n');
    await pay.approve(guests, { user: carol });
    await pay.says(guests, `<@${carol}> approved`);
    await pay.approve(partners, { user: dave });
    await pay.says(partners, `<@${dave}> approved`);
  });

  it('by amount: each threshold has its own approvers', async () => {
    await rules(`rules:
  - { name: small, when: { up-to: [10 USD] }, approvers: [requester] }
  - { name: large, approvers: [${bob}] }\n`);
    const small = await askIn(general, 'amount-small', paymentScript('10.00 USD'));
    const large = await askIn(general, 'amount-large', paymentScript('10.01 USD'));
    expect(pay.cardText(small)).toContain(`<@${alice}> (who asked)`);
    expect(await pay.press(large, 'Approve…')).toContain('does not let you');
    await pay.approve(small);
    await pay.approve(large, { user: bob });
    await pay.says(small, 'approved');
    await pay.says(large, `<@${bob}> approved`);
  });
});

describe('what the policy does not allow', () => {
  it.each([
    ['a denied method', paymentScript('2 USD cash')],
    ['a denied payee', paymentScript('2 USD', { recipient: 'agent1qbad' })],
    ['an amount for which no rule stands', paymentScript('5000 USD')],
  ])('%s is declined at once, by the policy and not a person, and the run goes on', async (words, script) => {
    await rules(`${LISTS}rules: [{ name: some, when: { up-to: [100 USD] }, approvers: [requester] }]\n`);
    stage.planner.use(script, { times: 1, match: words });
    const thread = await stage.slack.mention({ text: words });
    await pay.answered(thread, 'Heard: I decline');
    await pay.settled(thread);
    expect(pay.cardText(thread)).toContain('*The policy declined');
    expect(pay.cardText(thread)).toContain('Nobody was asked');
    const requests = pay.requestsFor(words);
    expect(requests).toHaveLength(2);
    expect(requests.at(-1)?.messages.at(-1)?.content).toContain('no person was asked');
  });

  it('one denied way of two leaves the other to be approved', async () => {
    await rules(`${LISTS}rules: [{ name: all, approvers: [requester] }]\n`);
    const thread = await askIn(general, 'one-of-two', paymentScript(['2 USD cash', '3 USD stripe']));
    expect(pay.cardText(thread)).toContain('Option 1 cannot be approved');
    const view = await pay.open(thread, 'Approve…');
    await stage.slack.submitView({ viewId: view.id, values: { 'Pay which way?': '1. 2 USD (cash)' } });
    expect(pay.windowText()).toMatch(/cash/);
    await pay.closeWindows();
    expect(pay.requestsFor('one-of-two')).toHaveLength(1);
    await pay.approve(thread, { values: { 'Pay which way?': '2. 3 USD (stripe)' } });
    await pay.answered(thread, '3 USD by stripe');
  });
});

describe('a policy that is read again', () => {
  it('between the opening of a window and its sending holds for what is sent', async () => {
    await rules('rules: [{ name: all, approvers: [requester] }]\n');
    const thread = await askIn(general, 'reload-between');
    const view = await pay.open(thread, 'Approve…');
    await rules(`rules: [{ name: bob, approvers: [${bob}] }]\n`);
    await stage.slack.submitView({ viewId: view.id });
    expect(pay.windowText()).toContain('does not let you');
    expect(pay.requestsFor('reload-between')).toHaveLength(1);
    await pay.closeWindows();
    await pay.approve(thread, { user: bob });
    await pay.says(thread, `<@${bob}> approved`);
  });

  it('may decline what waits already: nobody approves it, and whoever asked can say no', async () => {
    await rules('rules: [{ name: all, approvers: [anyone] }]\n');
    const thread = await askIn(general, 'reload-denies');
    const view = await pay.open(thread, 'Approve…');
    await rules('methods: { deny: [stripe] }\nrules: [{ name: all, approvers: [anyone] }]\n');
    await pay.says(thread, 'nobody may approve it now');
    await stage.slack.submitView({ viewId: view.id });
    expect(pay.windowText()).toContain('stripe');
    await pay.closeWindows();
    expect(await pay.press(thread, 'Approve…')).toContain('stripe');
    expect(await pay.press(thread, 'Decline', { user: bob })).toContain('does not let you');
    await pay.decline(thread);
    await pay.answered(thread, 'Heard: I decline');
  });

  it('that is bad leaves the one before in force', async () => {
    await rules(`rules: [{ name: bob, approvers: [${bob}] }]\n`);
    await rules('rules: [{ name: all, approvers: [everybody] }]\n');
    const thread = await askIn(general, 'reload-bad');
    expect(await pay.press(thread, 'Approve…')).toContain('does not let you');
    await pay.approve(thread, { user: bob });
    await pay.says(thread, `<@${bob}> approved`);
  });
});

describe('what Slack does not say of a person', () => {
  it('counts against them: they are told to try again, nothing is decided, and the next press works', async () => {
    await rules(`rules: [{ name: finance, approvers: [${finance}, requester] }]\n`);
    const thread = await askIn(general, 'no-word');
    stage.slack.failNext({ method: 'users.info', error: 'fatal_error' });
    expect(await pay.press(thread, 'Approve…')).toMatch(/may not decide payments\. Slack did not say/);
    const view = await pay.open(thread, 'Approve…');
    stage.slack.delayNext({ method: 'users.info', delayMs: 4_000 });
    await stage.slack.submitView({ viewId: view.id });
    await stage.slack.waitFor(() => pay.windowText().includes('Please try again'), { timeoutMs: 7_000 });
    expect(pay.cardOf(thread).versions).toHaveLength(1);
    expect(pay.requestsFor('no-word')).toHaveLength(1);
  });

  it('in time is waited for with a placeholder, and then counts against them too', async () => {
    await rules('rules: [{ name: anyone, approvers: [anyone] }]\n');
    const thread = await askIn(shared, 'slow-word');
    stage.slack.delayNext({ method: 'conversations.members', delayMs: 4_000 });
    const { ts: messageTs } = pay.cardOf(thread);
    const pressed = await stage.slack.click({ user: bob, channel: shared, messageTs, text: 'Approve…' });
    expect(pressed.acked).toBe(true);
    await stage.slack.waitFor(() => pay.windowText(bob).includes('Please try again'), { timeoutMs: 7_000 });
    const view = await pay.open(thread, 'Approve…', { user: bob });
    stage.slack.delayNext({ method: 'conversations.members', delayMs: 4_000 });
    const sent = await stage.slack.submitView({ user: bob, viewId: view.id });
    expect(sent).toMatchObject({ acked: true, problem: null });
    await stage.slack.waitFor(() => pay.windowText(bob).includes('Please try again'), { timeoutMs: 7_000 });
    expect(pay.requestsFor('slow-word')).toHaveLength(1);
    await pay.approve(thread, { user: bob });
    await pay.says(thread, `<@${bob}> approved`);
  });
});
