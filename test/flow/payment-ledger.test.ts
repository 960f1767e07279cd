import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPayments, paymentScript } from '../support/payments.ts';
import { buttonsOf, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice } = SANDBOX.users;
const stage = useStage({ planner: { scenario: 'answer-only' } });
const pay = createPayments(stage);
type Thread = { channel: string; ts: string };

const buttonOn = (thread: Thread, text: string) =>
  stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text });
const status = (thread: Thread, words: string) => stage.slack.waitFor(() => pay.statusText(thread).includes(words));

describe('an approved payment', () => {
  it('is told while the plan says nothing, and settled as soon as it goes on', async () => {
    const thread = await pay.ask('ledger-held', 'payment-held');
    await pay.approve(thread);
    await pay.says(thread, 'The planner has been told. I moved no money myself.');
    expect(pay.cardText(thread)).not.toContain('its plan went on');
    stage.planner.release('payment-held');
    await pay.says(thread, 'its plan went on');
    await pay.answered(thread, 'after the gate was opened');
  });

  it('is unknown when the resume is cut: card and status say so, and only a person resumes it', async () => {
    const thread = await pay.ask('ledger-cut', 'payment-cut-on-resume');
    await pay.approve(thread);
    await status(thread, '*Interrupted*');
    await pay.says(thread, 'It is not known whether the planner heard of the approval');
    expect(pay.statusText(thread)).toMatch(/Approved so far.*2\.00 USD.*not known whether the planner heard/s);
    expect(pay.requestsFor('ledger-cut')).toHaveLength(2);
    await stage.stopBot();
    await stage.startBot();
    expect(pay.requestsFor('ledger-cut')).toHaveLength(2);
    await buttonOn(thread, 'Resume');
    await pay.answered(thread, 'delivered after all');
    await pay.says(thread, 'It is not known whether the planner heard');
    const requests = pay.requestsFor('ledger-cut');
    expect(requests).toHaveLength(3);
    expect(requests.at(-1)?.sessionId).toBe(requests[0]?.sessionId);
    expect(requests.at(-1)?.messages.at(-1)?.content).toContain('I approve the payment of 2.00 USD');
    expect(pay.cardsOf(thread)).toHaveLength(1);
  });

  it('is settled when the plan is cut after it went on, and the status says what had been approved', async () => {
    const thread = await pay.ask('ledger-later', 'payment-cut-later');
    await pay.approve(thread);
    await status(thread, '*Interrupted*');
    await pay.says(thread, 'its plan went on');
    expect(pay.statusText(thread)).toMatch(/2\.00 USD.*approved by .*the planner was told, and its plan went on/s);
  });

  it('is unknown when the run is stopped before the plan goes on, and starting over says so', async () => {
    const thread = await pay.ask('ledger-stopped', 'payment-held');
    await pay.approve(thread);
    await pay.says(thread, 'The planner has been told');
    await buttonOn(thread, 'Stop');
    await status(thread, '*Stopped*');
    await pay.says(thread, 'It is not known whether');
    expect(pay.statusText(thread)).toMatch(/2\.00 USD.*not known whether the planner heard/s);
    expect(pay.cardText(thread)).not.toContain('decide at the status message');
  });

  it('is told of by whoever starts over, before the new run asks for it again', async () => {
    const thread = await pay.ask('ledger-again', 'payment-cut-on-resume');
    await pay.approve(thread);
    await status(thread, '*Interrupted*');
    stage.planner.use('payment', { times: 1, match: 'ledger-again' });
    await buttonOn(thread, 'Start over');
    await stage.slack.waitFor(() => pay.cardsOf(thread).length === 2);
    const said = await stage.slack.waitFor(() =>
      pay
        .inThread(thread)
        .map(textOf)
        .find((text) => text.includes('started over')),
    );
    expect(said).toMatch(/2\.00 USD.*not known whether.*make sure that it was not paid already/s);
    expect(buttonsOf(pay.cardOf(thread, 1))).toContain('Approve…');
    const sessions = new Set(pay.requestsFor('ledger-again').map(({ sessionId }) => sessionId));
    expect(sessions.size).toBe(2);
  });

  it('is unknown when the process is shut down in between', async () => {
    const thread = await pay.ask('ledger-down', 'payment-held');
    await pay.approve(thread);
    await pay.says(thread, 'The planner has been told');
    await stage.stopBot();
    await stage.startBot({ SHUTDOWN_GRACE_MS: '1' });
    await status(thread, '*Interrupted*');
    await pay.says(thread, 'It is not known whether');
    expect(pay.requestsFor('ledger-down')).toHaveLength(2);
    expect(buttonsOf(pay.statusOf(thread) ?? pay.cardOf(thread))).toEqual(['Resume', 'Start over', 'Close']);
  });
});

describe('more than one payment of a run', () => {
  it('each has its own card and its own approval', async () => {
    const thread = await pay.ask('ledger-twice', 'payment-twice');
    await pay.approve(thread);
    await stage.slack.waitFor(() => pay.cardsOf(thread).length === 2);
    await pay.says(thread, 'its plan went on');
    expect(pay.cardText(thread, 1)).toContain('3.50 USD');
    expect(buttonsOf(pay.cardOf(thread, 1))).toContain('Approve…');
    await pay.approve(thread, { index: 1 });
    await pay.answered(thread, 'Report and translation');
    await pay.says(thread, `<@${alice}> approved`, 1);
    expect(pay.requestsFor('ledger-twice')).toHaveLength(3);
  });

  it('with other terms than the approved ones needs a new approval', async () => {
    const thread = await pay.ask('ledger-changed', 'payment-changed');
    await pay.approve(thread);
    await stage.slack.waitFor(() => pay.cardsOf(thread).length === 2);
    expect(pay.cardText(thread, 1)).toContain('20.00 USD');
    expect(buttonsOf(pay.cardOf(thread, 1))).toContain('Approve…');
    const before = pay.whispersTo(alice).length;
    await stage.slack.click({ messageTs: pay.cardOf(thread).ts, text: 'Approve…', stale: true });
    await stage.slack.waitFor(() =>
      pay.whispersTo(alice, before).some((text) => text.includes('already approved 2.00 USD')),
    );
    expect(pay.requestsFor('ledger-changed')).toHaveLength(2);
  });

  it('says in the end what was approved and what not, when it is stopped at the second', async () => {
    const thread = await pay.ask('ledger-half', 'payment-twice');
    await pay.approve(thread);
    await stage.slack.waitFor(() => pay.cardsOf(thread).length === 2);
    await buttonOn(thread, 'Stop');
    await status(thread, '*Stopped*');
    expect(pay.statusText(thread)).toMatch(/Approved so far.*2\.00 USD/s);
    expect(pay.statusText(thread)).not.toContain('3.50 USD');
    await pay.says(thread, 'Nothing was approved', 1);
  });
});

it('a payment that nobody approved is nowhere called approved when the run fails', async () => {
  const script = paymentScript('2.00 USD');
  const legs = [script.legs[0] ?? [], [{ status: 500 as const }]];
  const thread = await pay.ask('ledger-failed', { ...script, legs });
  await pay.decline(thread);
  await status(thread, '*Failed*');
  expect(pay.statusText(thread)).toContain('Nothing had been approved or paid');
  expect(pay.statusText(thread)).not.toContain('Approved so far');
});
