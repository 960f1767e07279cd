import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPausedRuns, questionScript } from '../support/paused-runs.ts';
import { buttonsOf, hasButtons, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob } = SANDBOX.users;
const MONTHS = questionScript({ question: 'Which month?', options: ['May', 'June'] });
const TTL_MS = 3_000;

const stage = useStage({ planner: { scenario: 'answer-only' }, env: { PAUSE_TTL_MS: String(TTL_MS) } });
const paused = createPausedRuns(stage);

type Thread = { channel: string; ts: string };
const expired = (thread: Thread, timeoutMs = 60_000) =>
  stage.slack.waitFor(
    () =>
      textOf(paused.cardOf(thread)).includes('No answer by') &&
      paused.statusText(thread).includes('Expired without an answer'),
    { timeoutMs },
  );

describe('a pause that nobody answers', () => {
  it('ends at its deadline: the card keeps its question and has no button but Start over', async () => {
    const thread = await paused.ask('nobody-answers', MONTHS);
    await expired(thread);
    const card = paused.cardOf(thread);
    expect(buttonsOf(card)).toEqual(['Start over']);
    expect(textOf(card)).toContain('Which month?');
    expect(paused.statusText(thread)).not.toContain('stop_run');
    // Nobody tells the planner anything.
    expect(paused.requestsFor('nobody-answers')).toHaveLength(1);
    await stage.slack.waitFor(() => paused.inThread(thread)[2]?.text.includes('No longer waiting'));
    const [reminder, ...more] = paused.inThread(thread).slice(2);
    expect(reminder?.versions[0]?.text).toContain(`<@${alice}>`);
    expect(more).toEqual([]);
  });

  it('tells late clicks and a late modal that it is over', async () => {
    const { slack } = stage;
    const thread = await paused.ask('too-late', MONTHS);
    const { ts: messageTs } = paused.cardOf(thread);
    await slack.click({ messageTs, text: 'Answer…' });
    await slack.waitFor(() => slack.openViews(alice).length === 1);
    await expired(thread);
    const before = paused.whispersTo(alice).length;
    await slack.click({ messageTs, text: 'May', stale: true });
    await slack.click({ messageTs, text: 'Answer…', stale: true });
    await slack.waitFor(() => paused.whispersTo(alice, before).length === 2);
    for (const text of paused.whispersTo(alice, before)) expect(text).toContain('time for an answer is over');
    const late = await slack.submitView({ values: { answer_input: 'June' } });
    expect(late).toMatchObject({ acked: true, open: true, problem: null });
    expect(JSON.stringify(slack.openViews(alice)[0]?.view)).toContain('time for an answer is over');
    await slack.closeView({});
    expect(paused.requestsFor('too-late')).toHaveLength(1);
    expect(textOf(paused.cardOf(thread))).toContain('No answer by');
  });

  it('starts over from its card, once, as a new run with a fresh session', async () => {
    const { slack } = stage;
    const thread = await paused.ask('once-more', MONTHS);
    await expired(thread);
    const { ts: messageTs } = paused.cardOf(thread);
    const before = paused.whispersTo(bob).length;
    await slack.click({ user: bob, messageTs, text: 'Start over' });
    await slack.waitFor(() => paused.whispersTo(bob, before).some((text) => text.includes(`Only <@${alice}>`)));
    await Promise.all([1, 2, 3].map(() => slack.click({ messageTs, text: 'Start over', stale: true })));
    await slack.waitFor(() => JSON.stringify(paused.inThread(thread).slice(2)).includes('Two and two is four.'));
    const [first, second, ...more] = paused.requestsFor('once-more');
    expect(more).toHaveLength(0);
    expect(second?.sessionId).not.toBe(first?.sessionId);
    expect(second?.messages).toEqual(first?.messages);
    await slack.waitFor(() => !hasButtons(paused.cardOf(thread)));
    expect(paused.statusText(thread)).not.toContain('Start over to');
  });

  it('frees its thread for the request that waits there', async () => {
    const { slack } = stage;
    const thread = await paused.ask('in-the-way', MONTHS);
    await slack.mention({ user: bob, text: 'waits-behind', threadTs: thread.ts });
    await expired(thread);
    await stage.planner.waitFor(() => paused.requestsFor('waits-behind').length === 1);
    const [request] = paused.requestsFor('waits-behind');
    expect(request?.sessionId).not.toBe(paused.requestsFor('in-the-way')[0]?.sessionId);
  });

  it('is ended after a restart when its deadline passed in between', async () => {
    const thread = await paused.ask('asleep-then', MONTHS);
    await stage.stopBot();
    await stage.startBot();
    await expired(thread);
    expect(buttonsOf(paused.cardOf(thread))).toEqual(['Start over']);
    expect(paused.requestsFor('asleep-then')).toHaveLength(1);
  });
});
