import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createTerminalLook, PLAIN } from '../../../../src/sandbox/demo/look.ts';
import { alignTables } from '../../../../src/sandbox/demo/table-lines.ts';

const terminal = (columns: number, colours: boolean) => createTerminalLook({ columns, hasColors: () => colours });

test('a line too wide for the terminal goes on at the indent', () => {
  const fitted = terminal(40, false)
    .fit(`     ${'word '.repeat(12)}`.trimEnd(), 5)
    .split('\n');
  expect(fitted.every((line) => line.length <= 40 && /^ {5}word/.test(line))).toBe(true);
  expect(fitted.join(' ').match(/word/g)).toHaveLength(12);
});

test('colours take no room when a line is broken', () => {
  const look = terminal(40, true);
  const line = `${look.strong('Steward')}  ${look.line('`code` and `code` and `code` and it')}`;
  expect(stripVTControlCharacters(line)).toHaveLength(38);
  expect(look.fit(line, 9)).toBe(line);
});

test.each([`     | ${'cell | '.repeat(9)}`, `     ${'x'.repeat(60)}`])(
  'what cannot be broken is left whole: %s',
  (line) => {
    expect(terminal(40, false).fit(line, 5)).toBe(line);
  },
);

test.each([
  '✓ Rank the venues',
  'Failed · 3 s',
  'Waiting for approval · 3 s',
  'A payment needs approval',
  'A card for @alice',
  '[Stop]',
  '## Venues',
  'see [Hall](https://example.com)',
  '**a** *b* `c`',
])('the line %j is coloured, and only where there are colours', (line) => {
  expect(terminal(80, true).line(line)).toContain('\x1b[');
  expect(terminal(80, false).line(line)).toBe(line);
  expect(PLAIN.line(line)).toBe(line);
});

test('a row of a table keeps its width when its marks become colours', () => {
  const row = '| **Parque Hall** | *18* | `x` |';
  expect(stripVTControlCharacters(terminal(80, true).line(row))).toHaveLength(row.length);
});

test('the columns of a table are made even, to the side that its second line says', () => {
  const lines = ['before', '| Venue | Rate |', '| --- | ---: |', '| Alfama Loft | 5 EUR |', 'after | all'];
  expect(alignTables(lines)).toEqual([
    'before',
    '| Venue       |  Rate |',
    '| ----------- | ----: |',
    '| Alfama Loft | 5 EUR |',
    'after | all',
  ]);
});

test('rows with no second line of dashes are no table', () => {
  const lines = ['| a | long |', '| bb | c |'];
  expect(alignTables(lines)).toEqual(lines);
});
