import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Pause } from '../../../src/domain/pause.ts';
import type { ActionResult } from '../../../src/domain/ports/run-commands.ts';
import {
  CARD_ACTIONS,
  CARD_MODAL,
  CARD_WORDS_MODAL,
  cardChoiceActionId,
  cardFieldBlockId,
} from '../../../src/presenter/interaction/interaction-ids.ts';
import { SANDBOX } from '../../../src/sandbox/slack/setup.ts';
import { type CardOnScreen, putCardOnScreen } from './fakes/card-on-screen.ts';
import { cardPause, openPause, seatPause } from './fakes/pause.ts';

const { alice, bob } = SANDBOX.users;
const ACCEPTED: ActionResult = { kind: 'accepted' };
const NOT_BOB: ActionResult = { kind: 'not-allowed', allowedId: alice };
const SECOND = cardChoiceActionId(1);
const { fill, words, cancel } = CARD_ACTIONS;

describe("a card's buttons and modals", () => {
  let on: CardOnScreen;

  beforeEach(async () => {
    const ids = [SECOND, cardChoiceActionId(9), fill, words, cancel];
    on = await putCardOnScreen(...ids.map((actionId) => ({ actionId })));
  });
  afterEach(() => on.close());

  const stands = (...pauses: [Pause, ...Pause[]]) => {
    const left = [...pauses];
    const next = () => (left.length > 1 ? left.shift() : left[0]) ?? pauses[0];
    on.commands.setUp({ openPause: async () => ({ kind: 'open', pause: next() }) });
  };
  const openModal = async (actionId: string, title: string) => {
    expect((await on.press(actionId)).acked).toBe(true);
    await on.slack.waitFor(() => on.shown().includes(title));
  };
  const openForm = () => openModal(fill, 'Answer the card');

  it('answers at once with a choice that needs nothing else', async () => {
    stands(cardPause());
    on.commands.setUp({ chooseOnCard: async () => ACCEPTED });
    expect((await on.press(SECOND)).acked).toBe(true);
    expect(on.commands.of('chooseOnCard')).toEqual([['pause-1', 1, on.contextOf()]]);
    expect(on.slack.views()).toEqual([]);
    expect(on.slack.ephemerals()).toEqual([]);
  });

  it('opens the form for a choice that needs more, and sends both', async () => {
    stands(seatPause());
    on.commands.setUp({ submitCard: async () => ACCEPTED });
    await openModal(SECOND, 'Answer the card');
    const filled = { [cardFieldBlockId(0)]: '12A' };
    expect(await on.slack.submitView({ values: filled })).toMatchObject({ acked: true, open: false, problem: null });
    const sent = { choiceIndex: 1, selection: { flight: 'Late', seat: '12A' }, termsDigest: 'digest-1' };
    expect(on.commands.of('submitCard')).toEqual([['pause-1', sent, on.contextOf()]]);
  });

  it('lets choose in the form', async () => {
    stands(seatPause());
    on.commands.setUp({ submitCard: async () => ACCEPTED });
    await openForm();
    const filled = { [CARD_MODAL.choiceBlockId]: '0', [cardFieldBlockId(0)]: '12A' };
    expect(await on.slack.submitView({ values: filled })).toMatchObject({ acked: true, open: false, problem: null });
    expect(on.commands.of('submitCard')[0]?.[1]).toMatchObject({ choiceIndex: 0, selection: { flight: 'Early' } });
  });

  it('says beside a field what is wrong with it', async () => {
    stands(seatPause());
    await openModal(SECOND, 'Answer the card');
    const result = await on.slack.submitView({ values: { [cardFieldBlockId(0)]: '   ' } });
    expect(result).toMatchObject({ acked: true, open: true, problem: null });
    expect(result.errors).toHaveProperty(cardFieldBlockId(0));
    expect(on.commands.of('submitCard')).toEqual([]);
  });

  it('draws the form again where the card asks for more than it showed', async () => {
    stands(seatPause(), seatAndMealPause());
    await openForm();
    const filled = { [CARD_MODAL.choiceBlockId]: '0', [cardFieldBlockId(0)]: '12A' };
    expect(await on.slack.submitView({ values: filled })).toMatchObject({ acked: true, open: true, problem: null });
    expect(on.shown()).toContain(cardFieldBlockId(1));
    expect(on.commands.of('submitCard')).toEqual([]);
  });

  it('shows the changed card, and says that nothing was sent', async () => {
    const changed = cardPause({ title: 'Which train?' }, { termsDigest: 'new' });
    stands(seatPause(), changed);
    on.commands.setUp({ submitCard: async () => ({ kind: 'terms-changed', pause: changed }) });
    await openForm();
    const filled = { [CARD_MODAL.choiceBlockId]: '0', [cardFieldBlockId(0)]: '12A' };
    expect(await on.slack.submitView({ values: filled })).toMatchObject({ acked: true, open: true, problem: null });
    expect(on.shown()).toContain('Which train?');
    expect(on.shown()).toContain('changed');
    // Handed on with the digest of what was shown, to be refused and written down there.
    const nothing = { choiceIndex: null, selection: {}, termsDigest: seatPause().termsDigest };
    expect(on.commands.of('submitCard')).toEqual([[changed.id, nothing, expect.anything()]]);
  });

  it('answers in words', async () => {
    stands(cardPause());
    on.commands.setUp({ answer: async () => ACCEPTED });
    await openModal(words, 'Answer in words');
    expect(await on.slack.submitView({ values: { [CARD_WORDS_MODAL.inputId]: ' neither ' } })).toMatchObject({
      acked: true,
      open: false,
    });
    const said = { text: 'neither', termsDigest: 'digest-1' };
    expect(on.commands.of('answer')).toEqual([['pause-1', said, on.contextOf()]]);
  });

  it('takes no empty words', async () => {
    stands(cardPause());
    await openModal(words, 'Answer in words');
    const result = await on.slack.submitView({ values: { [CARD_WORDS_MODAL.inputId]: '  ' } });
    expect(result.errors).toHaveProperty(CARD_WORDS_MODAL.blockId);
    expect(on.commands.of('answer')).toEqual([]);
  });

  it('cancels', async () => {
    on.commands.setUp({ cancelCard: async () => ACCEPTED });
    expect((await on.press(cancel)).acked).toBe(true);
    expect(on.commands.of('cancelCard')).toEqual([['pause-1', on.contextOf()]]);
  });

  it.each([SECOND, fill, words])('tells a person who may not use %s', async (actionId) => {
    on.commands.setUp({ openPause: async () => NOT_BOB });
    expect((await on.press(actionId, bob)).acked).toBe(true);
    expect(await on.toldTo(bob)).toMatchObject({
      text: `Only <@${alice}>, who asked for this run, can do this.`,
      threadTs: on.rootTs,
    });
    expect(on.slack.views()).toEqual([]);
  });

  it.each([
    ['a choice that the card does not have', cardChoiceActionId(9), cardPause()],
    ['a choice of what is no card', SECOND, openPause()],
    ['a form of what is no card', fill, openPause()],
  ])('answers %s', async (_what, actionId, pause) => {
    stands(pause);
    expect((await on.press(actionId)).acked).toBe(true);
    expect(await on.toldTo()).toMatchObject({ text: expect.stringContaining('no longer belongs') });
  });

  it('tells of a choice that could not be stored, and does not acknowledge it', async () => {
    stands(cardPause());
    on.commands.setUp({ chooseOnCard: () => Promise.reject(new Error('database down')) });
    expect((await on.press(SECOND)).acked).toBe(false);
    expect(await on.toldTo()).toMatchObject({ text: expect.stringContaining('could not be stored') });
  });
});

/** The seat's card with one more thing to fill in, on the same terms: a modal that does not show all of it. */
function seatAndMealPause(): Pause {
  const pause = seatPause();
  const { card } = pause.request;
  const [seat] = card.fields;
  if (seat === undefined) throw new Error('the card has no field');
  return {
    ...pause,
    request: { kind: 'card', card: { ...card, fields: [seat, { ...seat, name: 'meal', label: 'Meal' }] } },
  };
}
