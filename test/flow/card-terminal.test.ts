import { describe, expect, it } from 'vitest';
import type { Scenario, Step } from '../../src/sandbox/planner/scenario.ts';
import type { SandboxMessage } from '../../src/sandbox/slack/history.ts';
import { flatCard } from '../support/cards.ts';
import { createPausedRuns } from '../support/paused-runs.ts';
import { buttonsOf, hasButtons, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const stage = useStage({ planner: { scenario: 'answer-only' }, slack: { brokenImageHosts: ['broken.example.com'] } });
const paused = createPausedRuns(stage);

const END: Step[] = [{ finish: 'stop' }, { done: true }];
const ticket = (title: string, more: object = {}) =>
  flatCard(
    'detail',
    { title, summary_rows: [{ label: 'Booking', value: 'XK4TQ2' }], ...more },
    { is_terminal: 'true' },
  );
const shows = (...cards: object[]): Step[] =>
  cards.map((card, n) => ({ plan: { plan_status: 'in_progress', phases: { 0: { tasks: { [n]: { card } } } } } }));
const answers = (...cards: object[]): Step[] => [...shows(...cards), { text: 'All is booked.' }, ...END];

async function done(words: string, ...legs: Step[][]): Promise<SandboxMessage[]> {
  const scenario: Scenario = { about: 'informs', legs };
  stage.planner.use(scenario, { times: 1, match: words });
  const thread = await stage.slack.mention({ text: words });
  await paused.answered(thread, 'All is booked.');
  return paused.inThread(thread);
}

const texts = (messages: readonly SandboxMessage[]) => messages.map(textOf);
const countOf = (messages: readonly SandboxMessage[], words: string) =>
  texts(messages).filter((text) => text.includes(words)).length;

describe('a card that only informs', () => {
  it('is shown once, without buttons, before the answer, and nothing waits for it', async () => {
    stage.planner.use('card-terminal', { times: 1, match: 'inform-once' });
    const thread = await stage.slack.mention({ text: 'inform-once' });
    await paused.answered(thread, 'The ticket XK4TQ2 was issued.');
    const [, card, answer, ...more] = paused.inThread(thread);
    expect(more).toEqual([]);
    expect(textOf(card as SandboxMessage)).toContain('Ticket issued');
    expect(hasButtons(card as SandboxMessage)).toBe(false);
    expect(textOf(answer as SandboxMessage)).toContain('was issued');
    expect(paused.requestsFor('inform-once')).toHaveLength(1);
  });

  it.each([
    ['takes its time with it', () => stage.slack.delayNext({ method: 'chat.postMessage', delayMs: 1_500 })],
    ['fails with it', () => stage.slack.failNext({ method: 'chat.postMessage', status: 503 })],
  ])('stands before the answer though Slack %s', async (name, trouble) => {
    const words = `inform ${name}`;
    const legs = [[{ hold: words }, ...answers(ticket('Slow ticket'))]];
    stage.planner.use({ about: 'informs', legs }, { times: 1, match: words });
    const thread = await stage.slack.mention({ text: words });
    await stage.slack.waitFor(() => paused.statusText(thread).includes('Working'));
    trouble();
    stage.planner.release(words);
    await paused.answered(thread, 'All is booked.');
    const [, first, second, ...more] = texts(paused.inThread(thread));
    expect(first).toContain('Slow ticket');
    expect(second).toContain('All is booked.');
    expect(more).toEqual([]);
  });

  it('shows its image, or names it where Slack cannot download it', async () => {
    const image = (host: string) => ({ hero_image: { url: `https://${host}/a.png`, alt: 'The gate' } });
    const messages = await done(
      'inform-images',
      answers(ticket('Good', image('images.example.com')), ticket('Broken', image('broken.example.com'))),
    );
    expect(messages).toHaveLength(4);
    expect(messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'image'))).toHaveLength(1);
    expect(countOf(messages, 'Image:_ The gate')).toBe(1);
  });

  it('comes once for each of several, in their order', async () => {
    const messages = await done(
      'inform-several',
      answers(ticket('First'), ticket('Second'), ticket('Third'), ticket('First')),
    );
    expect(texts(messages.slice(1, 4)).map((text) => /First|Second|Third/.exec(text)?.[0])).toEqual([
      'First',
      'Second',
      'Third',
    ]);
    expect(messages).toHaveLength(5);
  });

  it('is not shown again by the leg that goes on after a cut and shows it again', async () => {
    const words = 'inform-cut';
    stage.planner.use(
      {
        about: 'informs',
        legs: [
          [...shows(ticket('Issued')), { waitMs: 4000 }, { cut: 'destroy' }],
          answers(ticket('Issued'), ticket('Sent')),
        ],
      },
      { times: 1, match: words },
    );
    const thread = await stage.slack.mention({ text: words });
    await stage.slack.waitFor(() => paused.statusText(thread).includes('*Interrupted*'));
    const [status] = paused.inThread(thread);
    expect(buttonsOf(status as SandboxMessage)).toContain('Resume');
    await stage.slack.click({ messageTs: status?.ts ?? '', text: 'Resume' });
    await paused.answered(thread, 'All is booked.');
    expect(countOf(paused.inThread(thread), 'Issued')).toBe(1);
    expect(countOf(paused.inThread(thread), 'Sent')).toBe(1);
  });

  it('is not shown again by the leg after a pause, and does not answer the card that waits', async () => {
    const words = 'inform-pause';
    const asks = flatCard('review', { title: 'Go on?', approve_cta: { label: 'Yes', selection: { go: true } } });
    const asking: Step[] = [
      ...shows(ticket('Issued')),
      { plan: { plan_status: 'card_interaction_requested', phases: { 0: { tasks: { 5: { card: asks } } } } } },
      ...END,
    ];
    stage.planner.use({ about: 'informs', legs: [asking, answers(ticket('Issued'))] }, { times: 1, match: words });
    const thread = await stage.slack.mention({ text: words });
    await stage.slack.waitFor(() => paused.cardsOf(thread).length === 1);
    const order = texts(paused.inThread(thread));
    expect(order.findIndex((text) => text.includes('Issued'))).toBe(1);
    await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'Yes' });
    await paused.answered(thread, 'All is booked.');
    expect(countOf(paused.inThread(thread), 'Issued')).toBe(1);
  });

  it('whose post gets lost on its way is found and not posted twice', async () => {
    stage.planner.use(
      { about: 'informs', legs: [[{ hold: 'inform-lost' }, ...answers(ticket('Lost'))]] },
      { times: 1, match: 'inform-lost' },
    );
    const thread = await stage.slack.mention({ text: 'inform-lost' });
    await stage.slack.waitFor(() => paused.statusText(thread).includes('Working'));
    stage.slack.failNext({ method: 'chat.postMessage', dropConnection: true, afterApplying: true });
    stage.planner.release('inform-lost');
    await paused.answered(thread, 'All is booked.');
    await stage.slack.waitFor(() => countOf(paused.inThread(thread), 'Lost') === 1);
    expect(countOf(paused.inThread(thread), 'Lost')).toBe(1);
    expect(texts(paused.inThread(thread)).findIndex((text) => text.includes('Lost'))).toBe(1);
  });
});
