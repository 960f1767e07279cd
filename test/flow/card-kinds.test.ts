import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { lastWords, openedView, selectionIn } from '../support/cards.ts';
import { createPausedRuns } from '../support/paused-runs.ts';
import { buttonsOf, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice } = SANDBOX.users;

const stage = useStage({ planner: { scenario: 'answer-only' } });
const paused = createPausedRuns(stage);

/** What the planner was told, once the run is done. */
async function told(thread: { channel: string; ts: string }, words: string): Promise<string> {
  await paused.answered(thread, ':');
  expect(stage.planner.refused).toEqual([]);
  return lastWords(paused.requestsFor(words).at(-1));
}

const PASSENGER = {
  'Name as in the passport': 'Ada "Countess" Lovelace',
  Bags: '2',
  'E-mail for the ticket': 'ada@example.com',
  'I accept the conditions of carriage': ['0'],
};

describe('a card', () => {
  it.each(['card', 'card-review'])(
    'of the kind review, as in %s, is drawn in full and answered by a button',
    async (name) => {
      const thread = await paused.ask(`kind-${name}`, name);
      const card = paused.cardOf(thread);
      const text = textOf(card);
      for (const words of ['Book this flight?', 'Fare', '88 USD', 'Refund', 'None', `<@${alice}>`, 'until']) {
        expect(text).toContain(words);
      }
      expect(buttonsOf(card)).toEqual(['Book', 'No', 'Answer in words…', 'Cancel']);
      await stage.slack.click({ messageTs: card.ts, text: 'Book' });
      const answer = await told(thread, `kind-${name}`);
      expect(answer).toBe(
        'I choose "Book" on the card "Book this flight?". Selection: {"action":"confirm","offer_id":"off_1"}',
      );
      expect(textOf(paused.cardOf(thread))).toContain(`<@${alice}> chose “Book”`);
      expect(buttonsOf(paused.cardOf(thread))).toEqual([]);
    },
  );

  it.each(['card-carousel', 'card-carousel-object'])(
    'of the kind carousel, as in %s, offers every item',
    async (name) => {
      const thread = await paused.ask(`kind-${name}`, name);
      const card = paused.cardOf(thread);
      const text = textOf(card);
      const shown = [
        'Flights to Lisbon',
        'Tuesday, one way',
        'Air Portugal',
        '104 USD',
        'Cheapest',
        'Leaves 9:10',
        'Night bus',
      ];
      for (const words of shown) expect(text).toContain(words);
      expect(JSON.stringify(card.blocks)).toContain('"image_url":"https://images.example.com/tap.png"');
      expect(JSON.stringify(card.blocks)).toContain('"alt_text":"A green and red tail"');
      expect(buttonsOf(card).slice(0, 3)).toEqual(['1. Select', '2. Select', '3. Select']);
      await stage.slack.click({ messageTs: card.ts, text: '2. Select' });
      expect(selectionIn(await told(thread, `kind-${name}`))).toEqual({ offer_id: 'off_2', action: 'select' });
    },
  );

  it.each(['card-detail', 'card-detail-flat'])(
    'of the kind detail, as in %s, asks for its sub-option with the button',
    async (name) => {
      const thread = await paused.ask(`kind-${name}`, name);
      const card = paused.cardOf(thread);
      for (const words of ['British Airways 502', 'From', 'London, 12:40', 'Cabin'])
        expect(textOf(card)).toContain(words);
      await stage.slack.click({ messageTs: card.ts, text: 'Continue' });
      const { view } = await openedView(stage.slack, alice);
      for (const words of ['Economy', '104 USD', 'Business', '310 USD']) expect(JSON.stringify(view)).toContain(words);
      expect(await stage.slack.submitView({ values: { Cabin: 'Business' } })).toMatchObject({
        open: false,
        problem: null,
      });
      const answer = await told(thread, `kind-${name}`);
      expect(answer).toContain('I choose "Continue" on the card "British Airways 502".');
      expect(selectionIn(answer)).toEqual({ offer_id: 'off_2', action: 'continue', cabin: 'business' });
      expect(textOf(paused.cardOf(thread))).toContain('Business');
    },
  );

  it.each(['card-form', 'card-form-object'])(
    'of the kind form, as in %s, gives each value in its own type',
    async (name) => {
      const thread = await paused.ask(`kind-${name}`, name);
      const card = paused.cardOf(thread);
      expect(textOf(card)).toContain('Name as in the passport (required)');
      await stage.slack.click({ messageTs: card.ts, text: 'Fill in…' });
      await openedView(stage.slack, alice);
      expect(await stage.slack.submitView({ values: PASSENGER })).toMatchObject({ open: false, problem: null });
      expect(selectionIn(await told(thread, `kind-${name}`))).toEqual({
        action: 'submit',
        offer_id: 'off_2',
        full_name: 'Ada "Countess" Lovelace',
        bags: 2,
        email: 'ada@example.com',
        terms: true,
      });
    },
  );

  it.each(['card-custom', 'card-custom-object'])('of the kind custom, as in %s, is read in its order', async (name) => {
    const thread = await paused.ask(`kind-${name}`, name);
    const card = paused.cardOf(thread);
    const text = textOf(card);
    const order = ['An evening in Alfama', 'New', 'Food', 'Three places', 'Fado at nine', 'A walk by the river'];
    const places = order.map((words) => (text.lastIndexOf(words) >= 0 ? text.indexOf(words) : -1));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    await stage.slack.click({ messageTs: card.ts, text: '2. Select' });
    const { view } = await openedView(stage.slack, alice);
    expect(JSON.stringify(view)).toContain('A walk by the river');
    await stage.slack.submitView({ values: { Dishes: ['Fish', 'Rice'], Guests: '4' } });
    expect(selectionIn(await told(thread, `kind-${name}`))).toEqual({ show: 'walk', dish: 'fish, rice', guests: 4 });
  });

  it('shows what the planner said with it', async () => {
    const thread = await paused.ask('kind-said', 'card-carousel');
    expect(textOf(paused.cardOf(thread))).toContain('Which flight?');
    await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'Cancel' });
    expect(await told(thread, 'kind-said')).toBe('I cancel the card "Flights to Lisbon". I choose nothing on it.');
    expect(textOf(paused.cardOf(thread))).toContain('cancelled this card');
  });

  it('is answered in words by its modal', async () => {
    const thread = await paused.ask('kind-modal', 'card-carousel');
    await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'Answer in words…' });
    const { view } = await openedView(stage.slack, alice);
    expect(JSON.stringify(view)).toContain('British Airways');
    await stage.slack.submitView({ values: { card_words_input: 'None of them, <!channel>: {"offer_id":1' } });
    expect(await told(thread, 'kind-modal')).toContain('None of them');
    expect(textOf(paused.cardOf(thread))).toContain('answered in words');
    expect(stage.slack.pings(paused.cardOf(thread)).filter((ping) => ping !== `@${alice}`)).toEqual([]);
  });

  it.each([
    ['Book', '"action":"confirm"'],
    ['book.', '"action":"confirm"'],
    ['confirm 2', '"action":"reject"'],
    ['1', '"action":"confirm"'],
  ])('takes the plain reply %j for the choice that it names', async (reply, sent) => {
    const thread = await paused.ask(`reply-${reply.replaceAll(' ', '')}x`, 'card');
    await stage.slack.reply({ text: reply, threadTs: thread.ts });
    expect(await told(thread, `reply-${reply.replaceAll(' ', '')}x`)).toContain(sent);
  });

  it('takes any other plain reply for words, and names a file that cannot come with them', async () => {
    const thread = await paused.ask('reply-words', 'card');

    await stage.slack.reply({
      text: 'only if there is a window seat',
      threadTs: thread.ts,
      files: [{ name: 'seat.png', mimetype: 'image/png', content: Buffer.from('png') }],
    });
    expect(await told(thread, 'reply-words')).toBe('only if there is a window seat');
    await stage.slack.waitFor(() => paused.inThread(thread).some((message) => textOf(message).includes('seat.png')));
  });

  it('takes a reply of somebody else for nothing', async () => {
    const thread = await paused.ask('reply-other', 'card');
    await stage.slack.reply({ user: SANDBOX.users.bob, text: 'Book', threadTs: thread.ts });
    await stage.slack.reply({ text: 'No', threadTs: thread.ts });
    expect(await told(thread, 'reply-other')).toContain('"action":"reject"');
  });

  it('can follow another in the same run', async () => {
    const thread = await paused.ask('kind-twice', 'card-twice');
    await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: '1. Select' });
    await stage.slack.waitFor(() => paused.cardsOf(thread).length === 2);
    await stage.slack.click({ messageTs: paused.cardOf(thread, 1).ts, text: 'Book' });
    expect(await told(thread, 'kind-twice')).toContain('"action":"confirm"');
    await paused.settled(thread, 1);
    expect(new Set(paused.requestsFor('kind-twice').map(({ sessionId }) => sessionId)).size).toBe(1);
  });
});
