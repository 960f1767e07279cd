import { expect, it } from 'vitest';
import { escapeMrkdwn } from '../../../../src/presenter/text/escape.ts';
import { splitText } from '../../../../src/presenter/text/split-text.ts';

it.each([
  ['control characters', '\u0001'.repeat(300)],
  ['halves of characters', '\ud800'.repeat(300)],
  ['overrides', '\u202e'.repeat(300)],
  ['isolates that are closed far away', `${'\u2068'.repeat(300)}b${'\u2069'.repeat(300)}`],
  ['white space', ' \n'.repeat(150)],
])('a piece of nothing but %s is left out, because nothing of it would show', (_what, unseen) => {
  const pieces = splitText(`a ${unseen} z`, 100);
  expect(pieces.length).toBeGreaterThan(1);
  for (const piece of pieces) expect(escapeMrkdwn(piece).trim()).not.toBe('');
});
