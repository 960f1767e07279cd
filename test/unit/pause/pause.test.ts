import { describe, expect, it } from 'vitest';
import { decisionTurn } from '../../../src/pause/decision-turn.ts';
import { isDecisionWord, readReply } from '../../../src/pause/read-reply.ts';
import { termsDigest } from '../../../src/pause/terms-digest.ts';
import { pauseDeadline } from '../../../src/pause/times.ts';

const asking = (options: string[]) => ({ kind: 'clarification' as const, question: 'Which?', options, unread: null });

describe('a reply to a clarification', () => {
  it.each(['2', '2.', '2)', '#2', 'option 2', 'Confirm 2', 'choice #2', 'rome', '  ROME! '])(
    '%j names the second option',
    (text) => {
      expect(readReply(asking(['Paris', 'Rome']), text)).toBe('Rome');
    },
  );

  it.each(['3', '0', 'Rome please', 'neither', '2 of them'])('%j is an answer of its own', (text) => {
    expect(readReply(asking(['Paris', 'Rome']), text)).toBe(text);
  });

  it('takes a number as itself when the options are numbers', () => {
    expect(readReply(asking(['3', '5']), '2')).toBe('2');
    expect(readReply(asking(['3', '5']), '5')).toBe('5');
    expect(readReply(asking(['3', '5']), 'option 2')).toBe('5');
  });

  it('is free text when there are no options', () => {
    expect(readReply(asking([]), ' 2 ')).toBe('2');
  });
});

describe('a reply made to be slow', () => {
  // Anything but linear work on it takes minutes, and runs into the time limit of every test.
  it.each(['.', ' ', ' !', '…'])('of %j over and over is read all the same', (piece) => {
    const text = `yes${piece.repeat(390_000)}a`;
    expect(readReply(asking(['Yes', 'No']), text)).toBe(text);
    expect(isDecisionWord(text)).toBe(false);
  });

  it('is a yes or no with any number of marks behind it, and thanks', () => {
    expect(['yes', 'OK!!!', 'approve, please…', 'no  thanks.', ' confirm '].filter(isDecisionWord)).toHaveLength(5);
    const more = ['ok 👍🏽', 'ok :+1:', 'ok👍', ':white_check_mark:', 'Yes, I approve the payment.', 'don’t pay it'];
    expect(more.filter((text) => !isDecisionWord(text))).toEqual([]);
    expect(['yes but', 'please', 'approve the other one', '', 'this', 'pay 3 USD'].filter(isDecisionWord)).toEqual([]);
  });
});

describe('the terms digest', () => {
  it('does not depend on the order of keys', () => {
    const other = { unread: null, options: ['a'], question: 'Which?', kind: 'clarification' as const };
    expect(termsDigest(asking(['a']))).toBe(termsDigest(other));
  });

  it('changes with the order of options', () => {
    expect(termsDigest(asking(['a', 'b']))).not.toBe(termsDigest(asking(['b', 'a'])));
  });
});

it('a decision is told to the planner in its own words', () => {
  const decision = { kind: 'clarification', answer: 'Rome', source: 'option', requestKey: null } as const;
  expect(decisionTurn(asking(['Rome']), decision)).toEqual({
    role: 'user',
    content: 'Rome',
  });
});

it('a pause ends its lifetime after it opened', () => {
  expect(pauseDeadline(new Date(1_000), { request: asking([]), ttlMs: 500 })).toEqual(new Date(1_500));
});
