import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Card, CardField, CardItem } from '../../../src/domain/card.ts';
import { parseSelectOptionValue } from '../../../src/presenter/action-ids.ts';
import { interactionCard } from '../../../src/presenter/interaction/interaction-card.ts';
import { choiceOpensModal } from '../../../src/presenter/interaction/interaction-choices.ts';
import { parseCardChoiceActionId } from '../../../src/presenter/interaction/interaction-ids.ts';
import { interactionModal, wordsModal } from '../../../src/presenter/interaction/interaction-modal.ts';
import { reaching } from './direction-rules.ts';
import { aPause, aRun, NOW } from './factories.ts';
import {
  aCard,
  aCardDecision,
  aField,
  anInteraction,
  choicesOf,
  METADATA,
  messageProblems,
  pings,
  shownText,
  viewProblems,
} from './money-factories.ts';
import { elementsOf, list, read } from './slack-rules.ts';

function draw(fields: Partial<Card>, pause: Parameters<typeof anInteraction>[1] = {}) {
  const content = interactionCard(anInteraction(aCard(fields), pause));
  expect(messageProblems(content)).toEqual([]);
  return content;
}

const shown = (content: { blocks: readonly object[] }) => shownText([...content.blocks]);
const labels = (content: { blocks: readonly object[] }) => elementsOf(content).map((one) => read(one.text, 'text'));
const many = (count: number, text = 'Option') => choicesOf(...Array.from({ length: count }, (_, n) => `${text} ${n}`));

describe('an open card', () => {
  it('shows title, headings, text, rows and images in order', () => {
    const content = draw({
      items: [
        { type: 'heading', text: 'British Airways' },
        { type: 'text', text: 'Non-stop' },
        { type: 'row', label: 'Fare', value: '88 USD' },
        { type: 'row', label: 'Bag', value: 'none' },
        { type: 'divider' },
        { type: 'image', url: 'https://img.example/a.png', alt: 'A plane' },
      ],
    });
    expect(content.blocks.map((block) => read(block, 'type'))).toEqual([
      'section',
      'header',
      'header',
      'section',
      'section',
      'divider',
      'image',
      'actions',
      'context',
    ]);
    expect(shown(content)).toMatch(/Book\?\nBritish Airways\nNon-stop\n\*Fare\*\n88 USD\n\*Bag\*\nnone/);
    expect(content.blocks[6]).toMatchObject({ image_url: 'https://img.example/a.png', alt_text: 'A plane' });
  });

  it('shows nothing of texts that say nothing', () => {
    const nothings = ['undefined', ' null ', '[object Object]', '\u200B\u3164', '\u2800\u00AD'];
    const items = nothings.flatMap((text): CardItem[] => [
      { type: 'heading', text },
      { type: 'text', text },
      { type: 'row', label: 'Bag', value: text },
    ]);
    const card = { title: 'undefined', items: [...items, { type: 'text' as const, text: 'For [object Object]' }] };
    expect(shown(draw(card))).toMatch(/^\*A card for .*\n(?:The run .*\n)(?:\*Bag\*\n–\n){5}For …\n/);
    const words = shownText(wordsModal({ ...METADATA, card: aCard(card) }).blocks);
    expect(words).toMatch(/^(?:Bag: –\n){5}For …/);
  });

  it('names images where a workspace cannot fetch them, and leaves unsafe ones out', () => {
    const items: CardItem[] = [
      { type: 'image', url: 'https://img.example/a.png', alt: 'A plane' },
      { type: 'image', url: 'http://img.example/b.png', alt: 'B' },
    ];
    const content = draw({ items });
    expect(shown(content)).toContain('its address is not safe:_ B');
    expect(shownText([...(content.fallbackBlocks ?? [])])).toContain('_Image:_ A plane');
    expect(JSON.stringify(content.fallbackBlocks)).not.toContain('image_url');
  });

  it('has a button per choice, five in a row, and always words and Cancel', () => {
    const content = draw({ choices: many(7) });
    const rows = content.blocks.filter((block) => read(block, 'type') === 'actions');
    expect(rows.map((row) => list(read(row, 'elements')).length)).toEqual([5, 2, 2]);
    expect(labels(content).slice(-2)).toEqual(['Answer in words…', 'Cancel']);
    expect(elementsOf(content).every((one) => one.value === aPause().id)).toBe(true);
    expect(elementsOf(content)[6]?.action_id).toBe('card_choice_6');
    expect(parseCardChoiceActionId('card_choice_6')).toBe(6);
    expect(parseCardChoiceActionId('card_cancel')).toBeNull();
  });

  it('shows labels that a button cuts in full, with the numbers of the buttons', () => {
    const long = 'A very long label '.repeat(17).trim();
    const content = draw({ choices: choicesOf(long, 'No') });
    expect(shown(content)).toContain(`1. ${long}`);
    expect(labels(content)[1]).toBe('2. No');
  });

  it('tells choices with equal labels apart', () => {
    const [a, b] = choicesOf('Select', 'Select');
    const choices = [a, b].flatMap((choice, n) => (choice ? [{ ...choice, detail: `Hotel ${n}` }] : []));
    const content = draw({ choices });
    expect(shown(content)).toContain('2. Select – Hotel 1');
    expect(labels(content).slice(0, 2)).toEqual(['1. Select', '2. Select']);
  });

  it('leaves labels that tell the choices apart as they are, also where their details are listed', () => {
    const choices = choicesOf('Go', 'Stay').map((choice, n) => ({ ...choice, detail: `Hotel ${n}` }));
    const content = draw({ choices });
    expect(shown(content)).toContain('2. Stay – Hotel 1');
    expect(labels(content).slice(0, 2)).toEqual(['Go', 'Stay']);
  });

  it('offers a menu for more than 25 choices', () => {
    const content = draw({ choices: many(26) });
    const [menu] = elementsOf(content);
    expect(menu?.action_id).toBe('card_select');
    expect(parseSelectOptionValue(String(read(list(menu?.options)[25], 'value')))).toEqual({
      pauseId: aPause().id,
      optionIndex: 25,
    });
  });

  it('lists more than 100 choices and opens a modal for them', () => {
    const content = draw({ choices: many(150) });
    expect(shown(content)).toContain('150. Option 149');
    expect(labels(content)).toEqual(['Choose…', 'Answer in words…', 'Cancel']);
  });

  it('offers to fill in its fields, and says which', () => {
    const card = aCard({ fields: [aField({ label: 'Name', isRequired: true }), aField({ label: 'Note' })] });
    const content = draw(card);
    expect(labels(content)).toEqual(['Fill in…', 'Answer in words…', 'Cancel']);
    expect(shown(content)).toContain('To fill in: Name (required), Note');
    expect([choiceOpensModal(card), choiceOpensModal(aCard())]).toEqual([true, false]);
  });

  it('lists what was not understood', () => {
    expect(shown(draw({ notUnderstood: ['video block', '<!here>'] }))).toContain('• video block\n• &lt;!here&gt;');
  });

  it('says what is left out, and opens all of it', () => {
    const items = Array.from({ length: 200 }, (_, n): CardItem => ({ type: 'text', text: `Line ${n}` }));
    const content = draw({ items, choices: many(3) });
    expect(labels(content)).toContain('Show all…');
    expect(shown(content)).toContain('Press *Show all…* to see all of it');
    expect(shown(content)).not.toContain('Line 199');
    expect(shownText(interactionModal({ ...METADATA, card: aCard({ items }), choiceIndex: null }))).toContain(
      'Line 199',
    );
  });

  it('is for the requester only', () => {
    expect(shown(draw({}))).toContain('*A card for <@U1>*\nThe run waits for the answer until');
    expect(shown(draw({}))).toContain('Only <@U1> can answer.');
  });
});

describe('a card that is over', () => {
  const decided = { state: 'decided', decidedBy: 'U1', decidedAt: NOW } as const;

  it('calls what was chosen as the form did, where its own words say nothing', () => {
    const options = [{ value: 'x', label: 'null', detail: null }];
    const fields = [aField({ name: 'seat', label: 'undefined', kind: 'select', options })];
    const decision = aCardDecision({ selection: { seat: 'x' } });
    expect(shown(draw({ fields }, { ...decided, decision }))).toContain('*seat*\nx');
  });

  it('says what was chosen and filled in, by whom and when, without identifiers', () => {
    const fields: CardField[] = [
      aField({
        name: 'cabin',
        kind: 'select',
        label: 'Cabin',
        options: [{ value: 'eco', label: 'Economy', detail: null }],
      }),
      aField({ name: 'ok', kind: 'checkbox', label: 'Insured' }),
    ];
    const selection = { cabin: 'eco', ok: false, offer_id: 'off_123' };
    const content = draw({ fields }, { ...decided, decision: aCardDecision({ label: 'Book', selection }) });
    expect(shown(content)).toContain('*<@U1> chose “Book” at <!date^');
    expect(shown(content)).toContain('*Cabin*\nEconomy\n*Insured*\nNo');
    expect(shown(content)).not.toContain('off_123');
    expect(elementsOf(content)).toEqual([]);
  });

  it('shows an answer in words, and a cancellation', () => {
    expect(shown(draw({}, { ...decided, decision: aCardDecision({ text: 'My code is 42' }) }))).toMatch(
      /answered in words at .*\nMy code is 42/,
    );
    expect(shown(draw({}, { ...decided, decision: aCardDecision({ isCancelled: true }) }))).toContain(
      'cancelled this card at',
    );
  });

  it('after which the run could not go on says so, and that the answer is kept', () => {
    const view = anInteraction(aCard(), { ...decided, decision: aCardDecision({ label: 'Book' }) });
    const run = aRun({ state: 'interrupted', failure: 'process_lost' });
    const text = shown(interactionCard({ ...view, run }));
    expect(text).toContain('*The run could not go on.* Steward stopped unexpectedly');
    expect(text).toContain('The answer is kept');
  });

  it('offers only Start over once expired', () => {
    expect(elementsOf(draw({}, { state: 'expired' })).map((one) => [one.action_id, one.value])).toEqual([
      ['start_over_run', aRun().id],
    ]);
    expect(elementsOf(draw({}, { state: 'cancelled' }))).toEqual([]);
  });
});

describe('cards and their modals', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      'L'.repeat(300),
      '漢'.repeat(300),
      '&'.repeat(300),
      'שלום <!channel> @here <@U9>',
      '\u202Eevil',
      'עברית\u2067\n'.repeat(40),
      '\u0000\u001B',
      '',
      ' ',
      'undefined',
    ),
  );
  const item: fc.Arbitrary<CardItem> = fc.oneof(
    fc.record({ type: fc.constantFrom('heading', 'text'), text }),
    fc.record({ type: fc.constant('row'), label: text, value: text }),
    fc.record({ type: fc.constant('image'), url: fc.oneof(text, fc.webUrl()), alt: text }),
    fc.record({ type: fc.constant('divider') }),
  );
  const option = fc.record({ value: text, label: text, detail: fc.option(text) });
  const field: fc.Arbitrary<CardField> = fc.record({
    name: text,
    kind: fc.constantFrom('text', 'number', 'email', 'select', 'multi_select', 'checkbox'),
    label: text,
    isRequired: fc.boolean(),
    placeholder: fc.option(text),
    options: fc.array(option, { maxLength: 130 }),
  });
  const choice = fc.record({
    label: text,
    detail: fc.option(text),
    selection: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean())),
    isPrimary: fc.boolean(),
  });
  const anyCard: fc.Arbitrary<Card> = fc.record({
    cardKind: text,
    title: fc.option(text),
    items: fc.array(item, { maxLength: 200, size: 'max' }),
    choices: fc.array(choice, { maxLength: 210, size: 'max' }),
    fields: fc.array(field, { maxLength: 100 }),
    notUnderstood: fc.array(text, { maxLength: 60 }),
  });

  it('fit Slack with anything on them', () => {
    const state = fc.constantFrom('open', 'decided', 'expired', 'cancelled');
    fc.assert(
      fc.property(anyCard, state, fc.option(text), (card, pauseState, words) => {
        const selection = Object.fromEntries(card.fields.map(({ name }) => [name, words ?? true]));
        const decision = aCardDecision({ label: words, selection, text: words });
        const content = draw(card, { state: pauseState, decision, decidedBy: 'U1', decidedAt: NOW });
        expect(pings(content).filter((ping) => ping !== '@U1')).toEqual([]);
        expect(reaching(content.text)).toBe('');
        const pressed = card.choices.length > 0 ? [null, 0] : [null];
        for (const view of [
          ...pressed.map((choiceIndex) => interactionModal({ ...METADATA, card, choiceIndex })),
          wordsModal({ ...METADATA, card }),
        ]) {
          expect(viewProblems(view)).toEqual([]);
          expect(pings({ text: '-', blocks: view.blocks })).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('fit Slack at their largest', () => {
    const wide = '漢'.repeat(300);
    const options = Array.from({ length: 200 }, () => ({ value: wide, label: wide, detail: wide }));
    const fields = Array.from({ length: 100 }, () => aField({ kind: 'select', label: wide, options }));
    const choices = choicesOf(...Array.from({ length: 200 }, () => wide)).map((one) => ({ ...one, detail: wide }));
    const card = aCard({ title: wide, fields, choices, items: [{ type: 'text', text: wide.repeat(70) }] });
    draw(card);
    expect(viewProblems(interactionModal({ ...METADATA, card, choiceIndex: null }))).toEqual([]);
    expect(viewProblems(wordsModal({ ...METADATA, card }))).toEqual([]);
  });
});
