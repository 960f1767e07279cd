import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CardReading, readCard } from '../../../../../src/planner/asi-one/card/card.ts';
import { sanitiseSelection } from '../../../../../src/planner/asi-one/card/selection.ts';
import type { JsonRecord } from '../../../../../src/planner/asi-one/values/json-record.ts';

type CardCase = { name: string; record: JsonRecord; reading: CardReading | null };

const fixtures = new URL('../../../../fixtures/planner/cards.jsonl', import.meta.url);
const cases = readFileSync(fixtures, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as CardCase);

function cardOf(cardKind: string, payload: unknown) {
  const reading = readCard({ card_kind: cardKind, card_payload: payload });
  if (reading === null) throw new Error('no card was read');
  return reading.card;
}

const TOO_LARGE = ['The card is larger than 64 KB, so it is not shown.'];
const TOO_DEEP = ['The card is nested more than 8 levels deep, so it is not shown.'];

describe('a card', () => {
  it.each(cases)('$name', ({ record, reading }) => {
    expect(readCard(record)).toEqual(reading);
  });

  it('of 64 KB is read, and of one byte more is not, as text and parsed', () => {
    const frame = JSON.stringify({ title: '' }).length;
    const fits = { title: 'x'.repeat(65_536 - frame) };
    const over = { title: 'x'.repeat(65_537 - frame) };
    expect(cardOf('review', JSON.stringify(fits)).notUnderstood).toEqual([]);
    expect(cardOf('review', JSON.stringify(over))).toMatchObject({ title: null, notUnderstood: TOO_LARGE });
    expect(cardOf('review', `{"title":"x"}${' '.repeat(65_536)}`).notUnderstood).toEqual(TOO_LARGE);
    expect(cardOf('review', { title: 'x'.repeat(65_537) })).toMatchObject({ title: null, notUnderstood: TOO_LARGE });
    expect(cardOf('review', { title: 'é'.repeat(40_000) })).toMatchObject({ title: null, notUnderstood: TOO_LARGE });
  });

  it('with a million entries or JSON of depth 100,000 is not walked', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const nodes = `${'{"children":['.repeat(30_000)}${']}'.repeat(30_000)}`;
    expect(cardOf('carousel', { items: Array.from({ length: 1_000_000 }, () => 1) }).notUnderstood).toEqual(TOO_LARGE);
    expect(cardOf('gallery', deep).notUnderstood).toEqual(TOO_DEEP);
    expect(cardOf('custom', { root: JSON.parse(nodes) as unknown }).choices).toEqual([]);
    expect(readCard({ metadata: deep, card: deep })).toBeNull();
  });

  it('with 300 items shows 200 choices and says how many are left out', () => {
    const items = Array.from({ length: 300 }, (_, i) => ({ id: `i${i}`, title: `Item ${i}` }));
    const card = cardOf('carousel', { items });
    expect([card.items.length, card.choices.length]).toEqual([200, 200]);
    expect(card.choices[199]).toEqual({
      label: 'Select',
      detail: 'Item 199',
      selection: { id: 'i199' },
      isPrimary: false,
    });
    expect(card.notUnderstood).toEqual([
      '399 more texts, rows or images than a card can show',
      '100 more choices than a card can offer',
    ]);
  });

  it('with 150 odd fields, one of 520 options, asks for 100 of 500 and says what is left out', () => {
    const options = Array.from({ length: 520 }, (_, i) => i);
    const fields = Array.from({ length: 150 }, (_, i) => ({
      ...{ name: `f${i}`, kind: 'select', label: `F${i}`, odd: 1 },
      options: i === 0 ? options : [1, '1', true],
    }));
    const card = cardOf('form', { fields });
    expect([card.fields.length, card.fields[0]?.options.length]).toEqual([100, 500]);
    expect(card.fields[1]?.options.map(({ value }) => value)).toEqual([1, '1', true]);
    expect(card.notUnderstood).toContain('Field "F0": 20 more options than a card can offer');
    expect(card.notUnderstood).toContain('50 more fields than a card can ask for');
    expect(card.notUnderstood).toContain('121 more things that were not understood');
  });

  it('of no named kind is known by what it holds, also without a button', () => {
    const payload = { title: 'Booked', summary_rows: [{ label: 'Ticket', value: 'XK4' }] };
    const { card } = readCard({ card_id: '1', payload, is_terminal: true }) as CardReading;
    expect(card).toMatchObject({ cardKind: 'detail', items: [{ label: 'Ticket', value: 'XK4' }], notUnderstood: [] });
  });

  it('tells what it did not understand without the secrets in its names', () => {
    const secret = 'cs_test_a1_secret_b2';
    const { notUnderstood } = cardOf('review', {
      title: 'Book?',
      approve_cta: { label: 'Yes', selection: { [`client_secret=${secret}`]: secret }, [secret]: true },
      [secret]: { [secret]: secret },
    });
    expect(notUnderstood).toHaveLength(3);
    expect(notUnderstood.join('\n')).not.toContain(secret);
  });

  it('is bounded, complete and free of prototype keys whatever JSON it comes as', () => {
    fc.assert(
      fc.property(hostileRecord(), (json) => {
        const reading = readCard(JSON.parse(JSON.stringify(json)) as JsonRecord);
        if (reading === null) return;
        const { card } = reading;
        expect([card.items.length <= 200, card.choices.length <= 200, card.fields.length <= 100]).toEqual([
          true,
          true,
          true,
        ]);
        for (const item of card.items) if (item.type === 'image') expect(item.url).toMatch(/^https:\/\/[a-z0-9.-]+\//);
        for (const { label, selection } of card.choices) {
          expect(label.trim()).not.toBe('');
          for (const value of Object.values(selection)) expect(['string', 'number', 'boolean']).toContain(typeof value);
          expect(Object.keys(selection)).not.toContain('__proto__');
        }
        const names = card.fields.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        expect(JSON.stringify(card)).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a selection', () => {
  it('holds no secrets, which would stand in the audit trail, and says what was left out', () => {
    const selection = {
      id: 'off_1',
      client_secret: 'abc',
      token: 'pi_1_secret_2',
      note: 'Bearer abcdefgh',
      password: '',
    };
    expect(sanitiseSelection(selection)).toEqual({ id: 'off_1', password: '' });
    const card = cardOf('review', { title: 'x', approve_cta: { label: 'Go', selection } });
    expect(JSON.stringify(card)).not.toMatch(/abc|_secret_2/);
    expect(card.notUnderstood).toContain('Choice "Go": the value of "client_secret"');
  });

  it('keeps exactly the scalars that JSON can carry unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue()), (record) => {
        const selection = sanitiseSelection(JSON.parse(JSON.stringify(record)));
        for (const [key, value] of Object.entries(selection))
          expect(value).toBe(JSON.parse(JSON.stringify(record))[key]);
      }),
    );
  });

  it('drops what would be another value if it were kept', () => {
    const text = '{"id":12345678901234567890,"long":"","nul":"a\\u0000","half":"\\ud800","deep":{"a":1},"ok":0}';
    const record = { ...(JSON.parse(text) as JsonRecord), long: 'x'.repeat(2_001) };
    expect(sanitiseSelection(record)).toEqual({ ok: 0 });
  });

  it('that is no object is empty', () => {
    for (const value of [null, undefined, 1, 'x', [], [1]]) expect(sanitiseSelection(value)).toEqual({});
  });

  it('never reaches a prototype', () => {
    const selection = sanitiseSelection(JSON.parse('{"__proto__":"x","constructor":"y","prototype":"z","a":1}'));
    expect(selection).toEqual({ a: 1 });
    expect(Object.getPrototypeOf(selection)).toBe(Object.prototype);
  });
});

/** Records that look enough like cards to reach every reader. */
function hostileRecord() {
  const scalar = fc.oneof(
    fc.constantFrom(
      'text',
      'button',
      'select',
      'https://a.example.com/x.png',
      'javascript:x',
      '\u0000',
      '\ud800',
      '',
      'a',
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const keys = [
    ...['title', 'items', 'fields', 'root', 'children', 'type', 'kind', 'name', 'label', 'value', 'options', 'choices'],
    ...['selection', 'action', 'primary_cta', 'approve_cta', 'ctas', 'summary_rows', 'sub_options', 'image', 'badges'],
    ...['__proto__', 'constructor', 'id', 'multi', 'submit_cta', 'src'],
  ];
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 6 }),
    ),
  }));
  const kind = fc.constantFrom('carousel', 'detail', 'form', 'review', 'custom', 'other');
  const payload = fc.dictionary(fc.constantFrom(...keys), node, { maxKeys: 8 });
  return fc.oneof(
    fc.record({
      card_kind: kind,
      card_payload: fc.oneof(
        payload,
        payload.map((value) => JSON.stringify(value)),
      ),
    }),
    fc.record({ card: fc.oneof(payload, node) }),
    fc.record({ card_id: node, payload, is_terminal: node }),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );
}
