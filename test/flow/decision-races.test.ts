import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPausedRuns, questionScript } from '../support/paused-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob } = SANDBOX.users;
const MONTHS = questionScript({ question: 'Which month?', options: ['May', 'June'] });

const stage = useStage({ planner: { scenario: 'answer-only' } });
const paused = createPausedRuns(stage);

/** Another request in another thread has been through the whole bot, so what was delivered before is worked on. */
async function caughtUp(words: string): Promise<void> {
  const probe = await stage.slack.mention({ text: words, channel: SANDBOX.channels.random });
  await stage.slack.waitFor(() => paused.statusText(probe).includes('*Done*'));
}

async function openModal(messageTs: string): Promise<void> {
  await stage.slack.click({ messageTs, text: 'Answer…' });
  await stage.slack.waitFor(() => stage.slack.openViews(alice).length > 0);
}

describe('a pause that many decide at once', () => {
  it('takes one of twenty clicks, and tells the nineteen others privately who decided', async () => {
    const { slack } = stage;
    const thread = await paused.ask('twenty-clicks', MONTHS);
    const { ts: messageTs } = paused.cardOf(thread);
    const before = paused.whispersTo(alice).length;
    const clicks = await Promise.all(
      Array.from({ length: 20 }, (_, n) => slack.click({ messageTs, text: n % 2 ? 'May' : 'June', stale: true })),
    );
    expect(clicks.every(({ acked }) => acked)).toBe(true);
    await slack.waitFor(() => paused.whispersTo(alice, before).length === 19);
    for (const text of paused.whispersTo(alice, before)) expect(text).toContain(`<@${alice}> has already answered`);
    await paused.answered(thread, 'Heard: ');
    expect(paused.requestsFor('twenty-clicks')).toHaveLength(2);
  });

  it('takes one of a click, a reply and a modal, and runs nothing for the others', async () => {
    const { slack } = stage;
    const thread = await paused.ask('three-ways', MONTHS);
    const { ts: messageTs } = paused.cardOf(thread);
    await openModal(messageTs);
    const before = paused.whispersTo(alice).length;
    const [click, reply, modal] = await Promise.all([
      slack.click({ messageTs, text: 'May', stale: true }),
      slack.reply({ text: 'by-reply', threadTs: thread.ts }),
      slack.submitView({ values: { answer_input: 'by-modal' } }),
    ]);
    expect([click, reply, modal].every(({ acked }) => acked)).toBe(true);
    await paused.answered(thread, 'Heard: ');
    await caughtUp('a-probe');
    expect(paused.requestsFor('three-ways')).toHaveLength(2);
    expect(paused.inThread(thread)).toHaveLength(3);
    const told = paused.whispersTo(alice, before).length + (modal.open ? 1 : 0);
    expect(told).toBe(2);
    for (const view of slack.openViews(alice)) await slack.closeView({ viewId: view.id });
  });

  it('tells a reply that was written before the decision but arrives after it who decided, and runs nothing', async () => {
    const { slack } = stage;
    const thread = await paused.ask('late-reply', MONTHS);
    const event = lateReply(thread, 'June, I think');
    await slack.click({ messageTs: paused.cardOf(thread).ts, text: 'May' });
    await paused.answered(thread, 'Heard: May');
    const before = paused.whispersTo(alice).length;
    expect((await slack.deliverEvent(event)).acked).toBe(true);
    await slack.waitFor(() => paused.whispersTo(alice, before).some((text) => text.includes('already answered')));
    expect(paused.requestsFor('June, I think')).toHaveLength(0);
  });

  it('does not take a message for the answer that was written before the question stood there', async () => {
    const { slack } = stage;
    stage.planner.use(
      {
        about: 'waits, then asks',
        legs: [[{ hold: 'gate-early' }, ...(MONTHS.legs[0] ?? [])], ...MONTHS.legs.slice(1)],
      },
      { times: 1, match: 'early-words' },
    );
    const thread = await slack.mention({ text: 'early-words' });
    await stage.planner.waitFor(() => paused.requestsFor('early-words').length === 1);
    const event = lateReply(thread, 'and-also-this');
    stage.planner.release('gate-early');
    await slack.waitFor(() => paused.cardsOf(thread).length === 1);
    await slack.deliverEvent(event);
    await slack.waitFor(() => JSON.stringify(paused.inThread(thread)).includes('2nd in this thread'));
    await slack.click({ messageTs: paused.cardOf(thread).ts, text: 'May' });
    await stage.planner.waitFor(() => paused.requestsFor('and-also-this').length === 1);
    expect(paused.requestsFor('early-words')[1]?.messages.at(-1)?.content).toBe('May');
  });

  it('gives the second modal of the same person the name of who decided, and closes the first', async () => {
    const { slack } = stage;
    const thread = await paused.ask('two-modals', MONTHS);
    const { ts: messageTs } = paused.cardOf(thread);
    await openModal(messageTs);
    await slack.click({ messageTs, text: 'June' });
    await paused.answered(thread, 'Heard: June');
    const late = await slack.submitView({ values: { answer_input: 'too late' } });
    expect(late).toMatchObject({ acked: true, open: true, problem: null });
    expect(JSON.stringify(slack.openViews(alice).at(-1)?.view)).toContain(`<@${alice}> has already answered`);
    expect(paused.requestsFor('two-modals')).toHaveLength(2);
    await slack.closeView({});
  });

  it('is decided by its requester while others press every button', async () => {
    const { slack } = stage;
    const thread = await paused.ask('bob-presses', MONTHS);
    const { ts: messageTs } = paused.cardOf(thread);
    const before = paused.whispersTo(bob).length;
    const press = (user: string, text: string) => slack.click({ user, messageTs, text, stale: true });
    await Promise.all([press(bob, 'June'), press(bob, 'Answer…'), press(alice, 'May'), press(bob, 'June')]);
    await slack.waitFor(() => paused.whispersTo(bob, before).length === 3);
    for (const text of paused.whispersTo(bob, before)) expect(text).toContain(`Only <@${alice}>`);
    await paused.answered(thread, 'Heard: May');
  });

  it('that is stopped and answered at once is one of the two, never both', async () => {
    const { slack } = stage;
    const thread = await paused.ask('stop-or-answer', MONTHS);
    const [status, card] = paused.inThread(thread);
    await Promise.all([
      slack.click({ messageTs: card?.ts ?? '', text: 'May', stale: true }),
      slack.click({ messageTs: status?.ts ?? '', text: 'Stop', stale: true }),
    ]);
    await slack.waitFor(() => /\*(Stopped|Done)\*/.test(paused.statusText(thread)));
    await paused.settled(thread);
    if (paused.statusText(thread).includes('*Stopped*')) {
      expect(paused.inThread(thread)).toHaveLength(2);
      await caughtUp('another-probe');
      expect(paused.requestsFor('"May"').filter(({ state }) => state === 'open')).toHaveLength(0);
    }
  });
});

/** A reply that stands in the thread from now on and whose event the test delivers later. */
function lateReply(thread: { channel: string; ts: string }, text: string) {
  const now = Date.now();
  const ts = `${Math.floor(now / 1_000)}.${String((now % 1_000) * 1_000 + 7).padStart(6, '0')}`;
  return {
    type: 'message',
    channel: thread.channel,
    channel_type: 'channel',
    user: alice,
    text,
    ts,
    event_ts: ts,
    thread_ts: thread.ts,
    team: SANDBOX.teamId,
  };
}
