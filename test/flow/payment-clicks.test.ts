import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPayments, paymentScript, policyFile } from '../support/payments.ts';
import { hasButtons } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob } = SANDBOX.users;
const { general, random } = SANDBOX.channels;
const OVER = /already|over|stopped|ended/;

const policy = policyFile(`rules: [{ name: both, approvers: [requester, ${bob}] }]\n`);
const stage = useStage({ env: { POLICY_FILE: policy.path }, planner: { scenario: 'answer-only' } });
const pay = createPayments(stage);
type Thread = { channel: string; ts: string };

const twoDollars = () => paymentScript('2.00 USD');
const stop = (thread: Thread) => stage.slack.click({ messageTs: pay.statusOf(thread)?.ts ?? '', text: 'Stop' });

/** A signed interaction with whatever in it. */
function post(payload: object) {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return stage.slack.deliverRaw({
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...stage.slack.sign(body) },
  });
}

function submission(view: Record<string, unknown>, user: string = alice) {
  const team = { id: SANDBOX.teamId };
  return { type: 'view_submission', user: { id: user, team_id: team.id }, team, view: { id: 'V1', ...view } };
}

describe('a click on a payment that is decided', () => {
  it('is told who decided, by the button, by a window left open, and by the other window', async () => {
    const thread = await pay.ask('clicks-decided', twoDollars());
    const approving = await pay.open(thread, 'Approve…');
    const declining = await pay.open(thread, 'Decline', { user: bob });
    await stage.slack.submitView({ viewId: approving.id });
    await pay.answered(thread, 'Heard: I approve');
    await stage.slack.submitView({ user: bob, viewId: declining.id });
    expect(pay.windowText(bob)).toContain(`<@${alice}> has already approved 2.00 USD`);
    await pay.closeWindows(bob);
    for (const button of ['Approve…', 'Decline'])
      expect(await pay.press(thread, button, { user: bob, stale: true })).toContain(`<@${alice}> has already approved`);
    expect(pay.requestsFor('clicks-decided')).toHaveLength(2);
  });

  it('twice at once from one window decides once', async () => {
    const thread = await pay.ask('clicks-twice', twoDollars());
    const view = await pay.open(thread, 'Approve…');
    const send = () => stage.slack.submitView({ viewId: view.id, stale: true });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.every(({ acked }) => acked)).toBe(true);
    expect(answers.filter(({ body }) => JSON.stringify(body).includes('has already approved'))).toHaveLength(2);
    await pay.answered(thread, 'Heard: I approve');
    expect(pay.requestsFor('clicks-twice')).toHaveLength(2);
  });

  it('approve and decline at once: one of them wins, card, ledger and planner agree', async () => {
    await Promise.all([pay.closeWindows(), pay.closeWindows(bob)]);
    const thread = await pay.ask('clicks-race', twoDollars());
    const approving = await pay.open(thread, 'Approve…');
    const declining = await pay.open(thread, 'Decline', { user: bob });
    await Promise.all([
      stage.slack.submitView({ viewId: approving.id }),
      stage.slack.submitView({ user: bob, viewId: declining.id }),
    ]);
    await pay.answered(thread, 'Heard: I');
    const told = String(pay.requestsFor('clicks-race').at(-1)?.messages.at(-1)?.content);
    expect(pay.requestsFor('clicks-race')).toHaveLength(2);
    expect(pay.cardText(thread)).toContain(
      told.startsWith('I approve') ? `<@${alice}> approved` : `<@${bob}> declined`,
    );
  });
});

describe('a click that comes too late', () => {
  it('on a stopped run is told so, and so is the window that was open', async () => {
    await pay.closeWindows();
    const thread = await pay.ask('clicks-stopped', twoDollars());
    const approving = await pay.open(thread, 'Approve…');
    const declining = await pay.open(thread, 'Decline', { user: bob });
    await stop(thread);
    await pay.settled(thread);
    await stage.slack.submitView({ viewId: approving.id });
    expect(pay.windowText()).toMatch(OVER);
    await stage.slack.submitView({ user: bob, viewId: declining.id });
    expect(pay.windowText(bob)).toMatch(OVER);
    expect(await pay.press(thread, 'Approve…', { stale: true })).toMatch(OVER);
    expect(pay.cardText(thread)).toContain('Nothing was approved');
    expect(pay.requestsFor('clicks-stopped')).toHaveLength(1);
  });

  it('on an expired payment is told so, and so is the window that was open', async () => {
    await Promise.all([pay.closeWindows(), pay.closeWindows(bob)]);
    const thread = await pay.ask('clicks-expired', paymentScript('2.00 USD', { deadline_seconds: 2 }));
    const approving = await pay.open(thread, 'Approve…');
    const declining = await pay.open(thread, 'Decline', { user: bob });
    await stage.slack.waitFor(() => pay.statusText(thread).includes('Expired without a decision'));
    await stage.slack.submitView({ viewId: approving.id });
    expect(pay.windowText()).toContain('The time for an answer is over');
    await stage.slack.submitView({ user: bob, viewId: declining.id });
    expect(pay.windowText(bob)).toContain('The time for an answer is over');
    expect(await pay.press(thread, 'Decline', { stale: true })).toContain('The time for an answer is over');
    expect(pay.requestsFor('clicks-expired')).toHaveLength(1);
  });
});

describe('a click that is not what it seems', () => {
  it('from another channel or another message decides nothing, and is answered', async () => {
    await pay.closeWindows();
    const thread = await pay.ask('clicks-elsewhere', twoDollars());
    const { ts: messageTs } = pay.cardOf(thread);
    const places = [{ channel: random }, { messageTs: thread.ts }, { channel: random, messageTs: '1.000001' }];
    for (const forgedPlace of places) {
      for (const text of ['Approve…', 'Decline']) {
        const before = stage.slack.ephemerals({ user: alice }).length;
        const pressed = await stage.slack.click({ messageTs, text, forgedPlace });
        expect(pressed.acked).toBe(true);
        await stage.slack.waitFor(() => stage.slack.ephemerals({ user: alice }).length > before);
      }
    }
    expect(stage.slack.openViews(alice)).toEqual([]);
    expect(pay.cardOf(thread).versions).toHaveLength(1);
  });

  it('whose window carries other terms is refused and shows the terms as they are', async () => {
    const thread = await pay.ask('clicks-terms', twoDollars());
    for (const button of ['Approve…', 'Decline']) {
      const { view } = await pay.open(thread, button);
      const about = JSON.parse(String(view.private_metadata));
      const forged = { ...about, termsDigest: 'f'.repeat(64) };
      const answer = await post(
        submission({ ...view, private_metadata: JSON.stringify(forged), state: { values: {} } }),
      );
      expect(answer.acked).toBe(true);
      expect(JSON.stringify(answer.body)).toContain('The terms have changed');
      expect(JSON.stringify(answer.body)).toContain('2.00 USD');
    }
    expect(hasButtons(pay.cardOf(thread))).toBe(true);
    expect(pay.requestsFor('clicks-terms')).toHaveLength(1);
  });

  it('with a window of another kind, without values, or with odd ones never approves', async () => {
    await pay.closeWindows();
    const thread = await pay.ask('clicks-odd', paymentScript(['2.00 USD', '3.00 EUR']));
    const { view } = await pay.open(thread, 'Approve…');
    const values = (value: unknown) => ({ state: { values: { payment_option: { payment_option_input: value } } } });
    const odd = [
      { state: { values: {} } },
      { state: null },
      values({ type: 'static_select', selected_option: { value: '7' } }),
      values({ type: 'static_select', selected_option: { value: '-1' } }),
      values({ type: 'multi_static_select', selected_options: [{ value: '0' }, { value: '1' }] }),
      values('0'),
      { callback_id: 'answer_modal', state: { values: { answer_block: { answer_input: { value: 'approve' } } } } },
      { callback_id: 'card_modal', state: { values: {} } },
    ];
    for (const change of odd) expect((await post(submission({ ...view, ...change }))).acked).toBe(true);
    expect(pay.cardOf(thread).versions).toHaveLength(1);
    expect(pay.requestsFor('clicks-odd')).toHaveLength(1);
    const stranger = { ...view, state: { values: {} } };
    const answer = await post(submission(stranger, SANDBOX.users.carol));
    expect(answer.acked).toBe(true);
    expect(pay.cardOf(thread).versions).toHaveLength(1);
  });
});

describe('after a restart', () => {
  it('the window that was opened before it approves, and the first click on a card opens one', async () => {
    await pay.closeWindows();
    const before = await pay.ask('restart-window', twoDollars(), general);
    const after = await pay.ask('restart-click', twoDollars(), random);
    const view = await pay.open(before, 'Approve…');
    await stage.stopBot();
    await stage.startBot();
    expect(await stage.slack.submitView({ viewId: view.id })).toMatchObject({ acked: true, open: false });
    await pay.answered(before, 'Heard: I approve');
    await pay.approve(after);
    await pay.answered(after, 'Heard: I approve');
    expect(pay.requestsFor('restart-window')).toHaveLength(2);
    expect(pay.requestsFor('restart-click')).toHaveLength(2);
  });
});
