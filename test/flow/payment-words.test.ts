import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { hasButtons } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob } = SANDBOX.users;
const BOT = `<@${SANDBOX.botUserId}>`;
const TOLD = 'words neither approve nor decline it';

const policy = policyFile(`rules: [{ name: both, approvers: [requester, ${bob}] }]\n`);
const stage = useStage({ env: { POLICY_FILE: policy.path }, planner: { scenario: 'answer-only' } });
const pay = createPayments(stage);

describe('words while a payment waits', () => {
  it.each(['yes', 'Approve!', 'ok :+1:', 'ok 👍🏽', 'Yes, I approve the payment.', 'decline', 'do it now please'])(
    '%j in the thread decides nothing, starts nothing, and is told so privately',
    async (words) => {
      const thread = await pay.ask(`in-thread ${words}`, paymentScript('2.00 USD'));
      const before = pay.whispersTo(alice).length;
      await stage.slack.reply({ text: words, threadTs: thread.ts });
      await stage.slack.waitFor(() => pay.whispersTo(alice).length > before);
      expect(pay.whispersTo(alice, before).join()).toContain(TOLD);
      expect(pay.whispersTo(alice, before).join()).toContain('was not passed on');
      expect(pay.inThread(thread)).toHaveLength(2);
      expect(pay.cardOf(thread).versions).toHaveLength(1);
      expect(pay.requestsFor(`in-thread ${words}`)).toHaveLength(1);
    },
  );

  it('is the same in a mention and in a direct message', async () => {
    const thread = await pay.ask('by-mention', paymentScript('2.00 USD'));
    const before = pay.whispersTo(alice).length;
    await stage.slack.mention({ text: `${BOT} approve`, threadTs: thread.ts });
    await stage.slack.waitFor(() => pay.whispersTo(alice, before).some((text) => text.includes(TOLD)));
    expect(pay.inThread(thread)).toHaveLength(2);
    stage.planner.use(paymentScript('2.00 USD'), { times: 1, match: 'in-dm' });
    const direct = await stage.slack.directMessage({ text: 'in-dm' });
    await stage.slack.waitFor(() => pay.cardsOf(direct).length === 1);
    const told = pay.whispersTo(alice).length;
    await stage.slack.directMessage({ text: 'yes', threadTs: direct.ts });
    await stage.slack.waitFor(() => pay.whispersTo(alice, told).some((text) => text.includes(TOLD)));
    expect(pay.inThread(direct)).toHaveLength(2);
    expect(hasButtons(pay.cardOf(direct))).toBe(true);
    await pay.approve(direct);
    await pay.answered(direct, 'Heard: I approve');
  });

  it('of an approver who did not ask for it decide nothing either', async () => {
    const thread = await pay.ask('by-approver', paymentScript('2.00 USD'));
    await stage.slack.mention({ user: bob, text: `${BOT} yes, approved`, threadTs: thread.ts });
    await stage.slack.waitFor(() => pay.whispersTo(bob).some((text) => text.includes(TOLD)));
    expect(pay.inThread(thread)).toHaveLength(2);
    await pay.approve(thread, { user: bob });
    await pay.says(thread, `<@${bob}> approved`);
  });

  it('that ask for something else are kept as the next request', async () => {
    const thread = await pay.ask('before-next', paymentScript('2.00 USD'));
    const before = pay.whispersTo(alice).length;
    await stage.slack.reply({ text: 'and then book a table', threadTs: thread.ts });
    await stage.slack.waitFor(() =>
      pay.whispersTo(alice, before).some((text) => text.includes('kept as the next request')),
    );
    expect(hasButtons(pay.cardOf(thread))).toBe(true);
    await pay.decline(thread);
    await stage.planner.waitFor((requests) =>
      requests.some(({ messages }) => String(messages.at(-1)?.content).includes('and then book a table')),
    );
  });
});

describe('a payment that cannot be read', () => {
  it.each(['payment-unread', 'payment-silent'])('(%s) is answered in words that approve nothing', async (scenario) => {
    const thread = await pay.ask(`unread ${scenario}`, scenario);
    await stage.slack.reply({ text: 'yes, go ahead', threadTs: thread.ts });
    await pay.answered(thread, 'Without terms nothing was paid');
    const told = String(pay.requestsFor(`unread ${scenario}`).at(-1)?.messages.at(-1)?.content);
    expect(told).toMatch(/^I approve no payment/);
    expect(told).toContain('yes, go ahead');
  });
});
