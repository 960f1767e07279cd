import { describe, expect, it } from 'vitest';
import type { Card, CardField } from '../../../src/domain/card.ts';
import {
  interactionModal,
  readInteractionMetadata,
  readWords,
  wordsModal,
} from '../../../src/presenter/interaction/interaction-modal.ts';
import { readInteractionSubmission } from '../../../src/presenter/interaction/interaction-submission.ts';
import { aCard, aField, choicesOf, inputsOf, METADATA, shownText, viewProblems } from './money-factories.ts';
import { list, read } from './slack-rules.ts';

function open(fields: Partial<Card>, choiceIndex: number | null = null) {
  const view = interactionModal({ ...METADATA, card: aCard(fields), choiceIndex });
  expect(viewProblems(view)).toEqual([]);
  return view;
}

const elementTypes = (view: object) => inputsOf(view).map((input) => read(read(input, 'element'), 'type'));
const options = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ value: `v${n}`, label: `Label ${n}`, detail: null }));

/** Submits what a person put into each block. */
function submit(fields: Partial<Card>, inputs: Record<string, object>, choiceIndex: number | null = null) {
  const card = aCard(fields);
  const view = interactionModal({ ...METADATA, card, choiceIndex });
  const values = Object.fromEntries(Object.entries(inputs).map(([block, input]) => [block, { card_input: input }]));
  return readInteractionSubmission({ state: { values }, private_metadata: view.private_metadata ?? '' }, card);
}

const typed = (value: string | null) => ({ value });
const picked = (value: string) => ({ selected_option: { value } });
const ticked = (...values: string[]) => ({ selected_options: values.map((value) => ({ value })) });

describe('the modal of a card', () => {
  it('has an input of its kind per field', () => {
    const fields: CardField[] = [
      aField(),
      aField({ kind: 'number' }),
      aField({ kind: 'email', placeholder: 'you@example.com' }),
      aField({ kind: 'select', options: options(3), isRequired: true }),
      aField({ kind: 'select', options: options(3) }),
      aField({ kind: 'select', options: options(150), isRequired: true }),
      aField({ kind: 'multi_select', options: options(3) }),
      aField({ kind: 'multi_select', options: options(30) }),
      aField({ kind: 'checkbox' }),
      aField({ kind: 'select' }),
    ];
    expect(elementTypes(open({ fields }))).toEqual([
      'plain_text_input',
      'number_input',
      'email_text_input',
      'radio_buttons',
      'static_select',
      'static_select',
      'checkboxes',
      'multi_static_select',
      'checkboxes',
      'plain_text_input',
    ]);
  });

  it('asks for the choice that was not made yet, and shows the one that was', () => {
    const choices = choicesOf('Book', 'Hold');
    expect(inputsOf(open({ choices })).map((input) => read(input, 'block_id'))).toEqual(['card_choice']);
    const pressed = open({ choices, fields: [aField()] }, 1);
    expect(inputsOf(pressed).map((input) => read(input, 'block_id'))).toEqual(['card_field_0']);
    expect(read(pressed.submit, 'text')).toBe('Hold');
    expect(shownText(pressed)).toContain('*Your choice:* Hold');
  });

  it('takes the only choice as made', () => {
    const view = open({ choices: choicesOf('Submit'), fields: [aField()] });
    expect(read(view.submit, 'text')).toBe('Submit');
    expect(readInteractionMetadata(view.private_metadata ?? '')).toEqual({ ...METADATA, choiceIndex: 0 });
  });

  it('can only be read where there is nothing to choose or fill in', () => {
    expect(open({}).submit).toBeUndefined();
    expect(shownText(open({ title: null }))).toContain('without any text');
  });

  it('offers 200 choices in groups of a hundred', () => {
    const view = open({ choices: choicesOf(...Array.from({ length: 200 }, (_, n) => `C${n}`)) });
    const groups = list(read(read(inputsOf(view)[0], 'element'), 'option_groups'));
    expect(groups.map((group) => list(read(group, 'options')).length)).toEqual([100, 100]);
    expect(shownText(view)).toContain('200. C199');
  });

  it('shows options that their input cuts in full', () => {
    const long = 'An option that is long '.repeat(8).trim();
    const field = aField({ kind: 'select', options: [{ value: 'a', label: long, detail: 'why' }] });
    expect(shownText(open({ fields: [field] }))).toContain(`1. ${long} – why`);
  });

  it('keeps every required field of a form that is too long, and says what it leaves out', () => {
    const fields = [...Array.from({ length: 99 }, () => aField()), aField({ label: 'Last', isRequired: true })];
    const view = open({ fields });
    expect(shownText(view)).toContain('Last');
    expect(shownText(view)).toContain('10 optional fields are left out');
  });

  it('asks for 90 required fields beside a choice', () => {
    const fields = Array.from({ length: 90 }, () => aField({ isRequired: true }));
    const view = open({ fields, choices: choicesOf('A', 'B'), items: [{ type: 'text', text: 'word '.repeat(8_000) }] });
    expect(inputsOf(view)).toHaveLength(91);
    expect(view.blocks.length).toBeLessThan(100);
    expect(shownText(view)).toContain('word word');
  });

  it('sends a person to words where required fields do not fit', () => {
    const view = open({ fields: Array.from({ length: 100 }, () => aField({ isRequired: true })) });
    expect(view.submit).toBeUndefined();
    expect(shownText(view)).toContain('Answer in words…');
  });
});

describe('a submitted card', () => {
  it('keeps each kind of value and merges them with the choice', () => {
    const fields: CardField[] = [
      aField({ name: 'who', isRequired: true }),
      aField({ name: 'count', kind: 'number' }),
      aField({ name: 'mail', kind: 'email' }),
      aField({ name: 'cabin', kind: 'select', options: options(2) }),
      aField({ name: 'extras', kind: 'multi_select', options: options(3) }),
      aField({ name: 'ok', kind: 'checkbox' }),
      aField({ name: 'empty' }),
    ];
    const inputs = {
      card_field_0: typed(' Ada '),
      card_field_1: typed('2.50'),
      card_field_2: typed('ada@example.com'),
      card_field_3: picked('1'),
      card_field_4: ticked('0', '2'),
      card_field_5: ticked('0'),
      card_field_6: typed(null),
    };
    expect(submit({ fields, choices: choicesOf('A', 'B') }, inputs, 1)).toEqual({
      choiceIndex: 1,
      selection: { pick: 1, who: 'Ada', count: 2.5, mail: 'ada@example.com', cabin: 'v1', extras: 'v0, v2', ok: true },
    });
  });

  it('tells an unticked box, and keeps values with commas apart', () => {
    const comma = [{ value: 'a,b', label: 'x', detail: null }, ...options(1)];
    const fields = [
      aField({ name: 'box', kind: 'checkbox' }),
      aField({ name: 'm', kind: 'multi_select', options: comma }),
    ];
    expect(submit({ fields }, { card_field_0: ticked(), card_field_1: ticked('0', '1') })).toEqual({
      choiceIndex: null,
      selection: { box: false, m: '["a,b","v0"]' },
    });
  });

  it('is the choice made in it', () => {
    expect(submit({ choices: choicesOf('A', 'B') }, { card_choice: picked('1') })).toEqual({
      choiceIndex: 1,
      selection: { pick: 1 },
    });
    for (const inputs of [{}, { card_choice: picked('2') }, { card_choice: picked('x') }]) {
      expect(submit({ choices: choicesOf('A', 'B') }, inputs)).toEqual({
        errors: { card_choice: 'Please choose one.' },
      });
    }
  });

  it.each<[string, CardField, object, string]>([
    ['a missing text', aField({ isRequired: true }), typed('  '), 'Please fill this in.'],
    ['a word for a number', aField({ kind: 'number' }), typed('many'), 'Please enter a number, such as 12 or 12.5.'],
    ['an exponent', aField({ kind: 'number' }), typed('1e9'), 'Please enter a number, such as 12 or 12.5.'],
    [
      'a number too long to stay itself',
      aField({ kind: 'number' }),
      typed('12345678901234567'),
      'Please use at most 15 digits.',
    ],
    ['a broken e-mail address', aField({ kind: 'email' }), typed('a@b'), 'Please enter an e-mail address.'],
    ['two e-mail addresses', aField({ kind: 'email' }), typed('a@b.io,c@d.io'), 'Please enter an e-mail address.'],
    ['an unknown option', aField({ kind: 'select', options: options(2) }), picked('2'), 'This is none of the options.'],
    [
      'no option',
      aField({ kind: 'select', options: options(2), isRequired: true }),
      picked(''),
      'This is none of the options.',
    ],
    ['an unticked box', aField({ kind: 'checkbox', isRequired: true }), ticked(), 'Please tick this.'],
  ])('is refused for %s', (_name, field, input, problem) => {
    expect(submit({ fields: [field] }, { card_field_0: input })).toEqual({ errors: { card_field_0: problem } });
  });

  it('takes every number that stays itself', () => {
    const fields = [aField({ name: 'n', kind: 'number' })];
    for (const text of ['0', '-3', '0.001', '123456789012345', '007']) {
      expect(submit({ fields }, { card_field_0: typed(text) })).toEqual({
        choiceIndex: null,
        selection: { n: Number(text) },
      });
    }
  });

  it('does not reach into prototypes through names', () => {
    const result = submit({ fields: [aField({ name: '__proto__' })] }, { card_field_0: typed('x') });
    expect(JSON.stringify(result)).toBe('{"choiceIndex":null,"selection":{"__proto__":"x"}}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('words', () => {
  it('can always be given', () => {
    const view = wordsModal({ ...METADATA, card: aCard({ notUnderstood: ['a video'] }) });
    expect(viewProblems(view)).toEqual([]);
    expect(shownText(view)).toContain('a video');
    expect(readWords({ values: { card_words_block: { card_words_input: { value: ' 42 ' } } } })).toBe('42');
    expect(readWords({ values: {} })).toBeNull();
  });

  it.each(['', 'x', 'null', '{}', '{"pauseId":1}'])('metadata that is not ours is refused: %j', (text) => {
    expect(readInteractionMetadata(text)).toBeNull();
  });
});
