import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { cardScript, flatCard, lastWords, openedView } from '../support/cards.ts';
import { createPausedRuns } from '../support/paused-runs.ts';
import { buttonsOf, hasButtons, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob } = SANDBOX.users;
const REVIEW = flatCard('review', {
  title: 'Book?',
  summary_rows: [{ label: 'Fare', value: '88 USD' }],
  approve_cta: { label: 'Book', selection: { action: 'confirm', offer_id: 'off_1' } },
});

describe('a card decision after which the run is cut', () => {
  const stage = useStage({ planner: { scenario: 'answer-only' } });
  const paused = createPausedRuns(stage);

  it('is not sent again by itself, is told on both messages, and is what Resume repeats', async () => {
    const words = 'end-cut';
    const thread = await paused.ask(words, cardScript(REVIEW, { after: [{ waitMs: 100 }, { cut: 'destroy' }] }));
    await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'Book' });
    await stage.slack.waitFor(() => paused.statusText(thread).includes('*Interrupted*'));
    await stage.slack.waitFor(() => textOf(paused.cardOf(thread)).includes('The run could not go on'));
    const status = paused.statusText(thread);
    expect(status).toContain('1 answer had been given');
    expect(status).toContain('I choose "Book" on the card "Book?"');
    expect(status).toContain('Nothing had been paid');
    expect(status).not.toMatch(/\{"|offer_id/);
    expect(textOf(paused.cardOf(thread))).toContain('The answer is kept');
    const [first] = paused.inThread(thread);
    expect(buttonsOf(first as never)).toEqual(['Resume', 'Start over', 'Close']);
    await stage.stopBot();
    await stage.startBot();
    expect(paused.requestsFor(words)).toHaveLength(2);
    await stage.slack.click({ messageTs: first?.ts ?? '', text: 'Resume' });
    await paused.answered(thread, 'Heard:');
    const [, before, again, ...more] = paused.requestsFor(words);
    expect(more).toEqual([]);
    expect(again?.sessionId).toBe(before?.sessionId);
    expect(again?.messages).toEqual(before?.messages);
    expect(lastWords(again)).toBe(
      'I choose "Book" on the card "Book?". Selection: {"action":"confirm","offer_id":"off_1"}',
    );
    expect(textOf(paused.cardOf(thread))).not.toContain('could not go on');
  });
});

describe('a card that nobody answers', () => {
  const stage = useStage({ planner: { scenario: 'answer-only' }, env: { PAUSE_TTL_MS: '3000' } });
  const paused = createPausedRuns(stage);
  const expired = (thread: { channel: string; ts: string }) =>
    stage.slack.waitFor(
      () =>
        paused.statusText(thread).includes('Expired without an answer') &&
        !buttonsOf(paused.cardOf(thread)).includes('Cancel'),
      { timeoutMs: 60_000 },
    );

  it('is reminded of once, ends with the run, tells late modals and clicks, and starts over once', async () => {
    const { slack } = stage;
    const thread = await paused.ask('end-expired', cardScript(REVIEW));
    const { ts: messageTs } = paused.cardOf(thread);
    await slack.click({ messageTs, text: 'Answer in words…' });
    const { id: viewId } = await openedView(slack, alice);
    await expired(thread);
    const card = paused.cardOf(thread);
    expect(textOf(card)).toContain('No answer by');
    expect(textOf(card)).toContain('Fare');
    expect(buttonsOf(card)).toEqual(['Start over']);
    const [reminder, ...more] = paused.inThread(thread).slice(2);
    expect(more).toEqual([]);
    expect(reminder?.versions[0]?.text).toContain(`<@${alice}>`);
    expect(reminder?.versions[0]?.text).toContain('Book?');
    const late = await slack.submitView({ viewId, values: { card_words_input: 'yes' } });
    expect(late).toMatchObject({ acked: true, open: true, problem: null });
    expect(JSON.stringify(slack.openViews(alice).at(-1)?.view)).toContain('time for an answer is over');
    await slack.closeView({ viewId });
    const before = paused.whispersTo(alice).length;
    await slack.click({ messageTs, text: 'Book', stale: true });
    await slack.reply({ text: 'Start over please', threadTs: thread.ts, user: bob });
    await slack.waitFor(() => paused.whispersTo(alice, before).length === 1);
    expect(paused.whispersTo(alice, before)[0]).toContain('time for an answer is over');
    expect(paused.requestsFor('end-expired')).toHaveLength(1);
    await Promise.all([1, 2].map(() => slack.click({ messageTs, text: 'Start over', stale: true })));
    await slack.waitFor(() => JSON.stringify(paused.inThread(thread).slice(2)).includes('Two and two is four.'));
    const [first, second, ...others] = paused.requestsFor('end-expired');
    expect(others).toEqual([]);
    expect(second?.sessionId).not.toBe(first?.sessionId);
    expect(second?.messages).toEqual(first?.messages);
    await slack.waitFor(() => !hasButtons(paused.cardOf(thread)));
  });
});
