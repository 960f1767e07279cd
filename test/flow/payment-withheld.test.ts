import { beforeEach, describe, expect, it } from 'vitest';
import type { Leg } from '../../src/sandbox/planner/scenario.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import type { Thread } from '../support/bot-messages.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { useStage } from './stage.ts';

const { alice, bob } = SANDBOX.users;
const { random } = SANDBOX.channels;
const { finance } = SANDBOX.userGroups;

const BY_FINANCE = `rules: [{ name: finance, approvers: [${finance}] }]\n`;
const NO_STRIPE = `methods: { deny: [stripe] }\n${BY_FINANCE}`;
const policy = policyFile(BY_FINANCE);
const stage = useStage({ env: { POLICY_FILE: policy.path }, planner: { scenario: 'answer-only' } });
const pay = createPayments(stage);

/** A payment that Bob of finance has approved, and of which nobody was there yet to tell the planner. */
async function approvedUntold(words: string, channel?: string): Promise<Thread> {
  const thread = await pay.ask(words, paymentScript('2.00 USD'), channel);
  await stage.stopBot();
  await stage.startBot({}, 'intake');
  await pay.approve(thread, { user: bob });
  await pay.says(thread, `<@${bob}> approved`);
  await stage.stopBot();
  return thread;
}

async function interrupted(thread: Thread): Promise<void> {
  await stage.slack.waitFor(() => pay.statusText(thread).includes('Interrupted'));
}

const threadText = (thread: Thread): string =>
  pay
    .inThread(thread)
    .map(({ text }) => text)
    .join('\n');

/** Presses Resume and is told privately why nothing goes on. */
async function refusedResume(thread: Thread): Promise<string> {
  const before = pay.whispersTo(alice).length;
  await stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text: 'Resume' });
  await stage.slack.waitFor(() => pay.whispersTo(alice).length > before);
  return pay.whispersTo(alice, before).join('\n');
}

const toldOnce = (words: string): void => {
  const approvals = pay.requestsFor(words).map(({ messages }) => String(messages.at(-1)?.content));
  expect(approvals.filter((said) => said.startsWith('I approve the payment of 2.00 USD'))).toHaveLength(1);
  expect(approvals.at(-1)).not.toContain('only repeats');
};

beforeEach(async () => {
  stage.slack.setUserGroup(finance, [bob]);
  policy.write(BY_FINANCE);
  await stage.reloadPolicy();
});

describe('an approval that was not told to the planner', () => {
  it.each([
    ['a method that is denied by now', NO_STRIPE, 'payment method stripe'],
    ['a rule that declines it', 'rules: [{ name: none, decline: No money today. }]\n', 'No money today.'],
    ['a limit below it', `caps: { request: { USD: 1.99 } }\n${BY_FINANCE}`, 'limit of 1.99 USD'],
    [
      'two people instead of one',
      `rules: [{ name: two, approvers: [${finance}], count: 2 }]\n`,
      'two different people',
    ],
    ['other approvers', `rules: [{ name: all, approvers: [${alice}] }]\n`, `<@${bob}> has approved it, and may`],
  ])('does not go out against %s: the thread is told why', async (words, now, why) => {
    const thread = await approvedUntold(words);
    policy.write(now);
    await stage.startBot();
    await interrupted(thread);
    await stage.slack.waitFor(() => threadText(thread).includes(why));
    expect(threadText(thread)).toContain('is not passed on to the planner');
    expect(pay.statusText(thread)).toContain('the planner was not told of it');
    expect(pay.requestsFor(words)).toHaveLength(1);
  });

  it('stays where it is however often Resume is pressed, and goes out once when the policy allows it again', async () => {
    const words = 'denied-and-allowed';
    const thread = await approvedUntold(words);
    policy.write(NO_STRIPE);
    await stage.startBot();
    await interrupted(thread);
    for (const _press of [1, 2]) expect(await refusedResume(thread)).toContain('payment method stripe');
    expect(pay.statusText(thread)).toContain('Resume');
    expect(pay.requestsFor(words)).toHaveLength(1);
    policy.write(BY_FINANCE);
    await stage.reloadPolicy();
    await stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text: 'Resume' });
    await pay.answered(thread, 'Heard: I approve the payment of 2.00 USD');
    toldOnce(words);
  });

  it('does not go out once who gave it has left the group, as long as they have', async () => {
    const words = 'left-the-group';
    const thread = await approvedUntold(words);
    policy.write(NO_STRIPE);
    await stage.startBot();
    await interrupted(thread);
    policy.write(BY_FINANCE);
    await stage.reloadPolicy();
    stage.slack.setUserGroup(finance, [alice]);
    expect(await refusedResume(thread)).toContain(`<@${bob}> has approved it, and may approve it no more.`);
    stage.slack.setUserGroup(finance, [bob]);
    stage.slack.changeUser(bob, { deleted: true });
    expect(await refusedResume(thread)).toContain(`<@${bob}> has approved it, and may approve it no more.`);
    stage.slack.changeUser(bob, { deleted: false });
    stage.slack.failNext({ method: 'users.info', error: 'fatal_error' });
    expect(await refusedResume(thread)).toContain('Please try again');
    expect(pay.requestsFor(words)).toHaveLength(1);
    await stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text: 'Resume' });
    await pay.answered(thread, 'Heard: I approve');
    toldOnce(words);
  });

  it('goes out under a changed policy that still allows it, and is not counted twice', async () => {
    const words = 'still-allowed';
    const thread = await approvedUntold(words, random);
    policy.write(`caps: { channel-per-day: { USD: 2 } }\n${BY_FINANCE}`);
    await stage.startBot();
    await pay.answered(thread, 'Heard: I approve the payment of 2.00 USD');
    toldOnce(words);
  });
});

describe('an approval on its way to the planner', () => {
  it('does not go out again against a policy that has changed while the planner was busy', async () => {
    const words = 'busy-planner';
    const { about, legs } = paymentScript('2.00 USD');
    const [ask = [], ...heard] = legs;
    const busy: Leg = [{ status: 503, headers: { 'retry-after': '2' } }];
    const thread = await pay.ask(words, { about, legs: [ask, busy, ...heard] });
    await pay.approve(thread, { user: bob });
    await stage.planner.waitFor(() => pay.requestsFor(words).length === 2);
    policy.write(NO_STRIPE);
    await stage.reloadPolicy();
    await interrupted(thread);
    await stage.slack.waitFor(() => threadText(thread).includes('payment method stripe'));
    expect(pay.requestsFor(words)).toHaveLength(2);
    policy.write(BY_FINANCE);
    await stage.reloadPolicy();
    await stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text: 'Resume' });
    await pay.answered(thread, 'Heard: I approve the payment of 2.00 USD');
  });

  it('is not told, and not said to be, when its run is stopped while Slack is asked who gave it', async () => {
    const words = 'stopped-while-asked';
    const thread = await approvedUntold(words);
    policy.write(`# another file\n${BY_FINANCE}`);
    const asked = () => stage.slack.calls('users.info').length;
    const before = asked();
    stage.slack.delayNext({ method: 'users.info', delayMs: 1_200 });
    await stage.startBot();
    await stage.slack.waitFor(() => asked() > before);
    await stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text: 'Stop' });
    await stage.slack.waitFor(() => pay.statusText(thread).includes('*Stopped*'));
    expect(pay.statusText(thread)).toContain('the planner was not told of it');
    expect(pay.requestsFor(words)).toHaveLength(1);
  });
});

describe('an approval that the planner may have heard', () => {
  it('is not repeated against the policy', async () => {
    const words = 'heard-or-not';
    const thread = await pay.ask(words, 'payment-cut-on-resume');
    await pay.approve(thread, { user: bob });
    await interrupted(thread);
    policy.write(NO_STRIPE);
    await stage.reloadPolicy();
    expect(await refusedResume(thread)).toContain('payment method stripe');
    expect(pay.requestsFor(words)).toHaveLength(2);
    policy.write(BY_FINANCE);
    await stage.reloadPolicy();
    await stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text: 'Resume' });
    await pay.answered(thread, 'The report was delivered after all.');
  });
});
