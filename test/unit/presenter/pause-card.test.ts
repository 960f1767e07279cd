import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PauseState } from '../../../src/domain/pause.ts';
import { parseOptionActionId, parseSelectOptionValue } from '../../../src/presenter/action-ids.ts';
import { clarificationModal, readAnswer } from '../../../src/presenter/clarification/clarification-modal.ts';
import { loadingModal, noticeModal } from '../../../src/presenter/modals.ts';
import { pauseCard } from '../../../src/presenter/pause-card.ts';
import { aPause, aRun, NOW } from './factories.ts';
import { aCard, aCardPause, anEntry, aPayment } from './money-factories.ts';
import { elementsOf, list, modalProblems, read, slackProblems, textsOf } from './slack-rules.ts';

const run = aRun({ state: 'paused' });

function card(fields: Parameters<typeof aPause>[0] = {}, runFields: Parameters<typeof aRun>[0] = {}) {
  const content = pauseCard({ pause: aPause(fields), run: aRun({ ...run, ...runFields }), payment: null });
  expect(slackProblems(content)).toEqual([]);
  return content;
}

function asking(question: string | null, options: string[] = [], unread: 'payment' | 'card' | null = null) {
  return { request: { kind: 'clarification' as const, question, options, unread } };
}

function sectionsText(content: { blocks: readonly object[] }): string {
  return content.blocks
    .filter((block) => read(block, 'type') === 'section')
    .map((block) => String(read(read(block, 'text'), 'text')))
    .join('');
}

describe('an open card', () => {
  it('says that the run waits, for whom and until when', () => {
    const shown = sectionsText(card());
    expect(shown).toContain('A question for <@U1>');
    expect(shown).toContain('until <!date^1790858100^{time}|12:35 UTC> (about 30 min in all)');
    expect(shown).toContain('Which city?');
  });

  it('tells a screen reader the question and a few options, or how many there are', () => {
    const who = 'A question for <@U1>, open until 12:35 UTC:';
    expect(card(asking('Which?', ['Paris', 'Rome'])).text).toBe(`${who} Which? (Paris / Rome)`);
    const many = Array.from({ length: 60 }, (_, index) => `Option ${index}`);
    expect(card(asking('Which?', many)).text).toBe(`${who} Which? (60 options to choose from)`);
    expect(sectionsText(card(asking('Which?', many)))).not.toContain('press a button');
  });

  it.each(['payment', 'card'] as const)('says of a %s that could not be read nothing that it is not', (unread) => {
    expect(sectionsText(card(asking(null, [], unread)))).not.toContain('asks for more information');
  });

  it('has a button per option and one for an answer in words, all carrying only the pause id', () => {
    const content = card(asking('Which?', ['Paris', 'Rome']));
    expect(elementsOf(content).map((one) => [one.action_id, read(one.text, 'text'), one.value])).toEqual([
      ['answer_option_0', 'Paris', aPause().id],
      ['answer_option_1', 'Rome', aPause().id],
      ['answer_open', 'Answer…', aPause().id],
    ]);
  });

  it('lists long options in full above their shortened buttons', () => {
    const long = 'An option that goes on '.repeat(10);
    const content = card(asking('Which?', [long, 'b']));
    expect(sectionsText(content)).toContain(`1. ${long}`);
    expect(parseOptionActionId(String(elementsOf(content)[0]?.action_id))).toBe(0);
  });

  it('offers a menu for many options, whose entries lead back to pause and option', () => {
    const content = card(
      asking(
        'Which?',
        Array.from({ length: 60 }, (_, index) => `Option ${index}`),
      ),
    );
    const entries = list(elementsOf(content)[0]?.options);
    expect(entries).toHaveLength(60);
    expect(parseSelectOptionValue(String(read(entries[59], 'value')))).toEqual({
      pauseId: aPause().id,
      optionIndex: 59,
    });
  });

  it('lists more options than a menu holds', () => {
    const content = card(
      asking(
        'Which?',
        Array.from({ length: 300 }, (_, index) => `Option ${index}`),
      ),
    );
    expect(sectionsText(content)).toContain('300. Option 299');
    expect(elementsOf(content).map((one) => one.action_id)).toEqual(['answer_open']);
  });

  it('leaves out blank options and keeps the numbers of the others', () => {
    expect(elementsOf(card(asking('?', ['', 'b']))).map((one) => one.action_id)).toEqual([
      'answer_option_1',
      'answer_open',
    ]);
  });

  it('shows a question of 3,001 and of 100,000 characters in full', () => {
    for (const length of [3_001, 3_500, 100_000]) {
      const question = 'Lorem ipsum? '.repeat(length / 13);
      expect(sectionsText(card(asking(question)))).toContain(question.trim());
    }
  });

  it('says so when even that is not enough', () => {
    expect(sectionsText(card(asking('x'.repeat(200_000))))).toMatch(/goes on for \d+ more characters/);
  });

  it.each([
    ['payment', 'Nothing that is written or pressed here approves it.'],
    ['card', 'shows a card that could not be read'],
  ] as const)('says plainly that a %s could not be read, on card and modal', (unread, words) => {
    const asked = asking('Pay 5 USD?', [], unread);
    const content = card(asked);
    expect(sectionsText(content)).toContain(words);
    expect(content.text).toContain(words);
    const modal = clarificationModal({ pause: { ...aPause(), ...asked }, channelId: 'C1', messageTs: null });
    expect(sectionsText({ blocks: modal.blocks })).toContain(words);
    expect(modalProblems(modal)).toEqual([]);
  });

  it('copes with a pause without a question', () => {
    expect(sectionsText(card(asking(null)))).toContain('did not say what it needs');
  });

  it('cannot ping or forge through question or options', () => {
    const content = card(asking('<!channel> <@U9> @here', ['<!here>', '@everyone']));
    expect(textsOf(content).join(' ')).not.toMatch(/<!(?!date)|<@(?!U1>)|@here|@everyone/);
  });
});

describe('a card that is over', () => {
  it('says who decided what and when, without buttons', () => {
    const content = card({
      ...asking('x'.repeat(3_500)),
      state: 'decided',
      decision: { kind: 'clarification', answer: 'Paris & <!here>', source: 'modal', requestKey: null },
      decidedBy: 'U1',
      decidedAt: NOW,
    });
    expect(sectionsText(content)).toContain(
      '*<@U1> answered at <!date^1790856307^{time}|12:05 UTC>:*Paris &amp; &lt;!here&gt;',
    );
    expect(elementsOf(content)).toEqual([]);
  });

  it('that expired offers only Start over', () => {
    const content = card({ state: 'expired' }, { state: 'expired' });
    expect(sectionsText(content)).toContain('No answer by');
    expect(elementsOf(content).map((one) => [one.action_id, one.value])).toEqual([['start_over_run', run.id]]);
  });

  it('that expired offers nothing once someone started over', () => {
    const choice = { action: 'start_over', actorId: 'U1', at: NOW } as const;
    const content = card({ state: 'expired' }, { state: 'expired', choice });
    expect(elementsOf(content)).toEqual([]);
    expect(sectionsText(content)).not.toContain('Start over');
  });

  it('of a stopped run says who stopped it', () => {
    const content = card({ state: 'cancelled' }, { state: 'stopped', stopRequestedBy: 'U1' });
    expect(sectionsText(content)).toContain('stopped by <@U1>');
    expect(elementsOf(content)).toEqual([]);
  });
});

describe('cards and modals', () => {
  it('of each kind come from one door', () => {
    const view = { run, payment: null };
    expect(pauseCard({ ...view, pause: aCardPause(aCard()) }).text).toContain('A card for <@U1>');
    const payment = { entry: anEntry(), approversText: '<@U1>', spentLines: [], mustRetype: false };
    expect(pauseCard({ ...view, pause: aPayment(), payment }).text).toContain('A payment waits for approval');
    expect(() => pauseCard({ ...view, pause: aPayment() })).toThrow('ledger entry');
  });

  it('keep a question of 100,000 Chinese characters below the size of a Slack window', () => {
    const question = '漢'.repeat(100_000);
    const pause = { ...aPause(), ...asking(question) };
    const modal = clarificationModal({ pause, channelId: 'C1', messageTs: '1.2', notice: 'It has changed.' });
    expect(modalProblems(modal)).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(modal))).toBeGreaterThan(200_000);
    expect(sectionsText({ blocks: modal.blocks })).toContain('longer than a Slack window can hold');
  });

  it('read an answer back, and nothing from what is odd', () => {
    expect(readAnswer({ values: { answer_block: { answer_input: { value: ' Paris ' } } } })).toBe('Paris');
    for (const odd of [null, {}, { values: [] }, { values: { answer_block: { answer_input: { value: 7 } } } }]) {
      expect(readAnswer(odd)).toBe('');
    }
  });

  it('fit Slack with any question, options and answer', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom('&'.repeat(9_000), '👍🏽'.repeat(4_000), '\n'.repeat(9_000), '\u0001', 'a '.repeat(80_000), ''),
    );
    const state: fc.Arbitrary<PauseState> = fc.constantFrom('open', 'decided', 'expired', 'cancelled');
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 120 }), state, text, (question, options, pauseState, answer) => {
        const decision = { kind: 'clarification' as const, answer, source: 'reply' as const, requestKey: 'k' };
        card({ ...asking(question, options), state: pauseState, decision, decidedBy: 'U1', decidedAt: NOW });
        const modal = clarificationModal({
          pause: { ...aPause(), ...asking(question, options) },
          channelId: 'C1',
          messageTs: '1.2',
        });
        expect(modalProblems(modal)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('may only say something', () => {
    for (const modal of [loadingModal(), noticeModal('Done.')]) expect(modalProblems(modal)).toEqual([]);
  });
});
