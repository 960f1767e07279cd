import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { isReminder, type Thread } from '../support/bot-messages.ts';
import { questionScript } from '../support/paused-runs.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob } = SANDBOX.users;
const policy = policyFile(`rules:
  - { name: two, approvers: [anyone], count: 2 }
`);
const stage = useStage({
  env: { POLICY_FILE: policy.path, PAUSE_TTL_MS: '9000' },
  planner: { scenario: 'answer-only' },
});
const pay = createPayments(stage);

/** The thread's reminders; there is never more than one. */
const remindersIn = (thread: Thread) => pay.inThread(thread).filter(isReminder);

const says = (thread: Thread, words: string | RegExp) =>
  stage.slack.waitFor(() => remindersIn(thread).some((message) => textOf(message).match(words)), {
    timeoutMs: 30_000,
  });

/** Resolves once the thread has its reminder. */
const reminded = (thread: Thread) => says(thread, 'Still waiting until');

const asks = (words: string) => pay.ask(words, questionScript({ question: 'Which month?', options: ['May'] }));

describe('a reminder', () => {
  it('says who answered once that has happened, in one edit', async () => {
    const thread = await asks('remind-answered');
    await reminded(thread);
    await stage.slack.click({ messageTs: pay.cardOf(thread).ts, text: 'May' });
    await says(thread, 'No longer waiting');
    await pay.answered(thread, 'Heard: May');
    const [reminder, ...more] = remindersIn(thread);
    expect(more).toEqual([]);
    expect(reminder?.versions).toHaveLength(2);
    expect(reminder && textOf(reminder)).toContain(`<@${alice}> answered`);
    expect(reminder && textOf(reminder)).not.toContain('Still waiting');
  });

  it('of a payment names both who approved it', async () => {
    const thread = await pay.ask('remind-two', paymentScript('2.00 USD'));
    await pay.approve(thread);
    await reminded(thread);
    await pay.approve(thread, { user: bob });
    await says(thread, `<@${alice}> and <@${bob}> approved it`);
  });

  it('says that the run was stopped', async () => {
    const thread = await asks('remind-stopped');
    await reminded(thread);
    await stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text: 'Stop' });
    await says(thread, /No longer waiting.*was stopped/s);
  });

  it('says after a restart that the time was over, which it was meanwhile', async () => {
    const thread = await asks('remind-expired');
    await reminded(thread);
    await stage.stopBot();
    await stage.startBot();
    await says(thread, /No longer waiting.*Nobody answered by/s);
    expect(remindersIn(thread)).toHaveLength(1);
  });

  it('is edited by the next process where the last one was stopped before it could', async () => {
    const thread = await asks('remind-restart');
    await reminded(thread);
    // Card, status message and reminder, in whichever order.
    stage.slack.failNext({ method: 'chat.update', status: 503, times: 3 });
    await stage.slack.click({ messageTs: pay.cardOf(thread).ts, text: 'May' });
    await stage.stopBot();
    await stage.startBot();
    await says(thread, `<@${alice}> answered`);
    expect(remindersIn(thread)).toHaveLength(1);
  });
});
