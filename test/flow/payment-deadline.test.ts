import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { buttonsOf, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob, carol } = SANDBOX.users;
const policy = policyFile(`rules:
  - { name: two, when: { currencies: [EUR] }, approvers: [anyone], count: 2 }
  - { name: bob, approvers: [${bob}] }
`);
const stage = useStage({ env: { POLICY_FILE: policy.path }, planner: { scenario: 'answer-only' } });
const pay = createPayments(stage);
type Thread = { channel: string; ts: string };

const reminders = (thread: Thread) =>
  pay.inThread(thread).filter((message) => /Still waiting|No longer waiting/.test(textOf(message)));
const ended = (thread: Thread) =>
  stage.slack.waitFor(() => pay.statusText(thread).includes('Expired without a decision'));

describe('a payment that nobody decides', () => {
  it('is reminded of once, of whoever may decide, and ends at its own deadline', async () => {
    const thread = await pay.ask('deadline-own', paymentScript('2.00 USD', { deadline_seconds: 3 }));
    expect(pay.cardText(thread)).toMatch(/about 3 s/);
    await stage.slack.waitFor(() => reminders(thread).length > 0);
    const [reminder] = reminders(thread);
    expect(textOf(reminder ?? pay.cardOf(thread))).toContain('2.00 USD');
    expect(textOf(reminder ?? pay.cardOf(thread))).toContain(`<@${bob}>`);
    expect(stage.slack.pings(reminder ?? pay.cardOf(thread))).toEqual([`@${bob}`]);
    await ended(thread);
    await pay.says(thread, 'nothing was approved and the run has expired');
    expect(buttonsOf(pay.cardOf(thread))).toEqual(['Start over']);
    expect(reminders(thread)).toHaveLength(1);
    expect(pay.requestsFor('deadline-own')).toHaveLength(1);
    expect(pay.statusText(thread)).toContain('Nothing had been approved or paid');
  });

  it('says that one of two had approved, and can be started over by its requester alone', async () => {
    const thread = await pay.ask('deadline-half', paymentScript('2.00 EUR', { deadline_seconds: 3 }));
    await pay.approve(thread);
    await ended(thread);
    await pay.says(thread, 'One of two approvals had been given');
    expect(pay.statusText(thread)).toContain(`by <@${alice}>`);
    expect(pay.requestsFor('deadline-half')).toHaveLength(1);
    expect(await pay.press(thread, 'Start over', { user: bob })).toContain(`Only <@${alice}>`);
    stage.planner.use(paymentScript('2.00 EUR'), { times: 1, match: 'deadline-half' });
    await stage.slack.click({ messageTs: pay.cardOf(thread).ts, text: 'Start over' });
    await stage.slack.waitFor(() => pay.cardsOf(thread).length === 2);
    expect(pay.cardText(thread, 1)).toContain('0 of 2 approvals');
    const sessions = new Set(pay.requestsFor('deadline-half').map(({ sessionId }) => sessionId));
    expect(sessions.size).toBe(2);
  });

  it('is reminded of once when the process is restarted around the moment', async () => {
    const thread = await pay.ask('deadline-restart', paymentScript('2.00 USD', { deadline_seconds: 9 }));
    await stage.slack.waitFor(() => reminders(thread).length > 0);
    await stage.stopBot();
    await stage.startBot();
    await ended(thread);
    expect(reminders(thread)).toHaveLength(1);
  });
});

describe('/steward status', () => {
  it('lists a payment for the approver who did not ask for it, and for nobody who may not decide', async () => {
    const thread = await pay.ask('status-list', paymentScript('4.25 USD'));
    const listFor = async (user: string): Promise<string> => {
      const before = stage.slack.ephemerals({ user }).length;
      const answer = await stage.slack.slashCommand({ user, text: 'status', command: '/steward' });
      expect(answer.acked).toBe(true);
      const listed = await stage.slack
        .waitFor(() => stage.slack.ephemerals({ user }).slice(before).map(textOf).join('\n') || null, {
          timeoutMs: 5_000,
        })
        .catch(() => '');
      return `${listed}\n${JSON.stringify(answer.body)}`;
    };
    expect(await listFor(bob)).toMatch(/Waiting for you.*4\.25 USD.*U0ALICE001/s);
    const own = await listFor(alice);
    expect(own).toMatch(/“status-list” – Waiting for approval/);
    expect(own).not.toContain('4.25');
    expect(await listFor(carol)).not.toContain('4.25');
    expect(stage.slack.thread(thread.channel, thread.ts).length).toBe(3);
  });
});
