import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { cardScript, flatCard, lastWords, openedView, selectionIn } from '../support/cards.ts';
import { createPausedRuns } from '../support/paused-runs.ts';
import { textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice } = SANDBOX.users;

const stage = useStage({ planner: { scenario: 'answer-only' } });
const paused = createPausedRuns(stage);

const form = (fields: object[]) =>
  flatCard('form', { title: 'A form', fields, submit_cta: { label: 'Send it', selection: { form: 7 } } });

async function open(words: string, fields: object[]) {
  const thread = await paused.ask(words, cardScript(form(fields)));
  await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'Fill in…' });
  const opened = await openedView(stage.slack, alice);
  return { thread, view: JSON.stringify(opened.view) };
}

async function sent(thread: { channel: string; ts: string }, words: string): Promise<unknown> {
  await paused.answered(thread, 'Heard:');
  expect(stage.planner.refused).toEqual([]);
  return selectionIn(lastWords(paused.requestsFor(words).at(-1)));
}

const FIELDS = [
  { name: 'name', kind: 'text', label: 'Name', required: true },
  { name: 'bags', kind: 'number', label: 'Bags' },
  { name: 'mail', kind: 'email', label: 'Mail', required: true },
  {
    name: 'seat',
    kind: 'select',
    label: 'Seat',
    required: true,
    options: [
      { value: 'a', label: 'Aisle' },
      { value: 'w', label: 'Window' },
    ],
  },
  { name: 'ok', kind: 'checkbox', label: 'I agree', required: true },
  { name: 'news', kind: 'checkbox', label: 'Newsletter' },
];

describe('a form', () => {
  it('says beside each field what is wrong with it, and takes it once it is right', async () => {
    const { thread } = await open('form-errors', FIELDS);
    const wrong = { Name: '   ', Bags: 'two', Mail: 'nobody', Seat: '9', 'I agree': [] };
    const refused = await stage.slack.submitView({ unchecked: true, values: wrong });
    expect(refused).toMatchObject({ acked: true, open: true, problem: null });
    expect(Object.keys(refused.errors ?? {}).sort()).toEqual([0, 1, 2, 3, 4].map((n) => `card_field_${n}`));
    expect(paused.requestsFor('form-errors')).toHaveLength(1);
    for (const mail of ['a@b', 'a b@c.de', '<a@b.de>', `${'a'.repeat(300)}@b.de`]) {
      const again = await stage.slack.submitView({
        unchecked: true,
        values: { Name: 'Ada', Bags: '1e3', Mail: mail, Seat: '1', 'I agree': ['0'] },
      });
      expect(Object.keys(again.errors ?? {}).sort()).toEqual(['card_field_1', 'card_field_2']);
    }
    const right = { Name: ' Ada ', Bags: '-2.50', Mail: 'ada+1@example.co.uk', Seat: 'Window', 'I agree': ['0'] };
    expect(await stage.slack.submitView({ values: right })).toMatchObject({ open: false, problem: null });
    expect(await sent(thread, 'form-errors')).toEqual({
      form: 7,
      name: 'Ada',
      bags: -2.5,
      mail: 'ada+1@example.co.uk',
      seat: 'w',
      ok: true,
      news: false,
    });
    const text = textOf(paused.cardOf(thread));
    for (const words of ['Ada', '-2.5', 'Window', 'Yes', 'No']) expect(text).toContain(words);
  });

  it('gives the value of an option in the type that it came in', async () => {
    const { thread } = await open('form-types', [
      {
        name: 'nights',
        kind: 'select',
        label: 'Nights',
        required: true,
        options: [
          { value: 2, label: 'Two' },
          { value: 3, label: 'Three' },
        ],
      },
      {
        name: 'late',
        kind: 'select',
        label: 'Late?',
        required: true,
        options: [
          { value: true, label: 'Yes' },
          { value: false, label: 'No' },
        ],
      },
    ]);
    await stage.slack.submitView({ values: { Nights: 'Three', 'Late?': 'No' } });
    expect(await sent(thread, 'form-types')).toEqual({ form: 7, nights: 3, late: false });
    expect(textOf(paused.cardOf(thread))).toContain('Three');
  });

  it('offers all of more than a hundred options', async () => {
    const options = Array.from({ length: 150 }, (_, n) => ({ value: `v${n}`, label: `Gate ${n}` }));
    const { thread } = await open('form-options', [
      { name: 'gate', kind: 'select', label: 'Gate', required: true, options },
    ]);
    await stage.slack.submitView({ values: { Gate: 'Gate 149' } });
    expect(await sent(thread, 'form-options')).toEqual({ form: 7, gate: 'v149' });
  });

  it('shows options of 300 characters in full beside the field', async () => {
    const label = (n: number) => `${n} ${'long words '.repeat(27)}`.trim();
    const options = [1, 2].map((n) => ({ value: `v${n}`, label: label(n), secondary_text: label(n + 2) }));
    const { thread, view } = await open('form-long', [
      { name: 'x', kind: 'radio', label: label(5), required: true, options },
    ]);
    for (const n of [1, 2, 3, 4]) expect(view).toContain(label(n));
    await stage.slack.submitView({ values: { card_input: '1' } });
    expect(await sent(thread, 'form-long')).toEqual({ form: 7, x: 'v2' });
  });

  it('sends several choices of one field as one text', async () => {
    const options = ['Fish', 'Rice', 'Salt, pepper'].map((label) => ({ value: label, label }));
    const { thread } = await open('form-multi', [{ name: 'dish', kind: 'checkbox', label: 'Dishes', options }]);
    await stage.slack.submitView({ values: { Dishes: ['Fish', 'Salt, pepper'] } });
    expect(await sent(thread, 'form-multi')).toEqual({ form: 7, dish: '["Fish","Salt, pepper"]' });
  });

  it('with more optional fields than a window holds asks for the required ones and says what it leaves out', async () => {
    const fields = Array.from({ length: 95 }, (_, n) => ({
      name: `f${n}`,
      kind: 'text',
      label: `Field ${n}`,
      required: n === 94,
    }));
    const { thread, view } = await open('form-many', fields);
    expect(view).toContain('left out');
    await stage.slack.submitView({ values: { 'Field 94': 'last', 'Field 3': 'third' } });
    expect(await sent(thread, 'form-many')).toEqual({ form: 7, f3: 'third', f94: 'last' });
  });

  it('with more required fields than a window holds is answered in words', async () => {
    const fields = Array.from({ length: 95 }, (_, n) => ({
      name: `f${n}`,
      kind: 'text',
      label: `Field ${n}`,
      required: true,
    }));
    const { thread, view } = await open('form-toomany', fields);
    expect(view).toContain('Answer in words');
    await stage.slack.closeView({});
    await stage.slack.reply({ text: 'all of them are 1', threadTs: thread.ts });
    await paused.answered(thread, 'Heard: all of them are 1');
  });

  it('with odd fields asks for what can be sent back and names the rest', async () => {
    const { thread, view } = await open('form-odd', [
      { name: '__proto__', kind: 'text', label: 'Proto' },
      { kind: 'text', label: 'Nameless' },
      { name: 'same', kind: 'text', label: 'One', required: true },
      { name: 'same', kind: 'text', label: 'Two', required: true },
      { name: 'when', kind: 'hologram', label: '' },
      { name: 'none', kind: 'select', label: 'None', options: [] },
    ]);
    expect(view).toContain('Not understood');
    expect(await stage.slack.submitView({ values: { One: 'one' } })).toMatchObject({ open: false, errors: null });
    await stage.slack.waitFor(() => paused.statusText(thread).includes('*Done*') || stage.planner.refused.length > 0);
    expect(stage.planner.refused.map(({ refusal }) => refusal)).toEqual([]);
    expect(selectionIn(lastWords(paused.requestsFor('form-odd').at(-1)))).toEqual({ form: 7, same: 'one' });
  });
});
