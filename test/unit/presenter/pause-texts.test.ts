import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision, Pause } from '../../../src/domain/pause.ts';
import { LEDGER_STATES, type LedgerEntry, type LedgerState } from '../../../src/domain/payment.ts';
import { reminderOverText, reminderText } from '../../../src/presenter/reminder.ts';
import {
  actionResultText,
  cardNoticeMessage,
  notDeliveredText,
  noticeMessage,
  startedOverText,
  statusListText,
  wordsDoNotDecideText,
} from '../../../src/presenter/texts.ts';
import { reaching } from './direction-rules.ts';
import { aPause, aRun, NOW } from './factories.ts';
import {
  aCard,
  aCardDecision,
  aCardPause,
  anApproval,
  anApproved,
  anEntry,
  aPayment,
  aRefusal,
  choicesOf,
  messageProblems,
  pings,
  shownText,
  someTerms,
} from './money-factories.ts';
import { elementsOf } from './slack-rules.ts';

const AT = '<!date^1790856307^{time}|12:05 UTC>';
const UNTIL = '<!date^1790858100^{time}|12:35 UTC>';

type Deciders = { decidedBy?: string | null; approverIds?: string[] };

function late(pause: Pause, decision: Decision, { decidedBy = 'U2', approverIds = [] }: Deciders = {}): string {
  const decided: Pause = { ...pause, state: 'decided', decision, decidedBy, decidedAt: NOW };
  return actionResultText({ kind: 'already-decided', pause: decided, approverIds });
}

const answered: Decision = { kind: 'clarification', answer: 'Lyon', source: 'option', requestKey: null };

function decidedBy(pause: Pause, decision: Decision): Pause {
  return { ...pause, state: 'decided', decision, decidedBy: 'U2', decidedAt: NOW };
}

describe('who comes late', () => {
  it('is told who approved what', () => {
    expect(late(aPayment(), anApproval())).toBe(`<@U2> has already approved 25 USD to Parcel Desk at ${AT}.`);
  });

  it('is told of both who approved it, where it took two', () => {
    expect(late(aPayment(), anApproval(), { approverIds: ['U3', 'U2'] })).toBe(
      `<@U3> and <@U2> have already approved 25 USD to Parcel Desk at ${AT}.`,
    );
  });

  it('is told who declined, and why', () => {
    expect(late(aPayment(), aRefusal('Too dear <!here>'))).toBe(
      `<@U2> has already declined 25 USD (stripe) to Parcel Desk at ${AT}: Too dear &lt;!here&gt;`,
    );
  });

  it('is told that the policy declined, where nobody did', () => {
    expect(late(aPayment(), aRefusal('Over the cap.'), { decidedBy: null })).toBe(
      `The policy has already declined 25 USD (stripe) to Parcel Desk at ${AT}: Over the cap.`,
    );
  });

  it.each([
    [aCardDecision({ label: 'Book' }), 'chosen “Book”'],
    [aCardDecision({ selection: { a: 1 } }), 'filled in this card'],
    [aCardDecision({ text: 'Rather not' }), 'answered this card in words'],
    [aCardDecision({ isCancelled: true }), 'cancelled this card'],
  ])('is told what became of a card', (decision, words) => {
    expect(late(aCardPause(aCard()), decision)).toBe(`<@U2> has already ${words} at ${AT}.`);
  });

  it('is told that the run was stopped', () => {
    const pause = aPayment(someTerms(), { state: 'cancelled' });
    expect(actionResultText({ kind: 'already-decided', pause, approverIds: [] })).toContain('The run was stopped');
  });
});

describe('a click', () => {
  it('that the policy refuses says why', () => {
    expect(actionResultText({ kind: 'refused', reason: 'Guests may not decide payments.' })).toBe(
      'Guests may not decide payments.',
    );
  });

  it('that is the first of two approvals says that one more is needed', () => {
    expect(actionResultText({ kind: 'one-more-needed' })).toContain('one more, by someone else');
  });

  it.each([
    [aPause(), 'The question has changed'],
    [aPayment(), 'The terms have changed'],
    [aCardPause(aCard()), 'The card has changed'],
  ])('on what has changed says what changed', (pause, words) => {
    expect(actionResultText({ kind: 'terms-changed', pause })).toContain(words);
  });

  it('that could not be stored decided nothing', () => {
    expect(notDeliveredText()).toContain('nothing was decided');
  });
});

describe('a reminder', () => {
  const run = aRun();

  it('of a payment names who may decide, what and until when', () => {
    expect(reminderText({ pause: aPayment(), run, approversText: 'members of finance' })).toBe(
      `*Still waiting until ${UNTIL}:* a payment of 25 USD (stripe) to Parcel Desk\nWho may decide: members of finance. The card is above in this thread.`,
    );
  });

  it('of a question or card names the requester', () => {
    expect(reminderText({ pause: aPause(), run, approversText: null })).toContain('Which city?\nIt waits for <@U1>.');
    const card = aCardPause(aCard({ title: 'Your <flight>' }));
    expect(reminderText({ pause: card, run, approversText: null })).toContain('the card “Your &lt;flight&gt;”');
  });

  it.each<[string, Pause, string]>([
    ['answered', decidedBy(aPause(), answered), `<@U2> answered at ${AT}.`],
    ['cancelled', decidedBy(aCardPause(aCard()), aCardDecision({ isCancelled: true })), `<@U2> cancelled it at ${AT}.`],
    ['approved by two', decidedBy(aPayment(), anApproval()), `<@U3> and <@U2> approved it at ${AT}.`],
    ['declined', decidedBy(aPayment(), aRefusal(null)), `<@U2> declined it at ${AT}.`],
    ['not answered', aPause({ state: 'expired' }), `Nobody answered by ${UNTIL}.`],
    ['not decided', aPayment(someTerms(), { state: 'expired' }), `Nobody decided by ${UNTIL}.`],
    ['stopped', aPause({ state: 'cancelled' }), 'The run was stopped by <@U5>.'],
  ])('of what is %s says that nothing waits any more', (_end, pause, words) => {
    const entry = pause.request.kind === 'payment' ? anEntry({ approverIds: ['U3', 'U2'] }) : null;
    const text = reminderOverText({ pause, run: { stopRequestedBy: 'U5' }, entry });
    expect(text.split('\n')).toEqual([
      expect.stringMatching(/^\*No longer waiting:\* /),
      `${words} The card is above in this thread.`,
    ]);
  });
});

describe('words while a payment waits', () => {
  it('decide nothing, and it is said what became of them', () => {
    expect(wordsDoNotDecideText({ kept: true })).toMatch(/neither approve nor decline.*kept as the next request/);
    expect(wordsDoNotDecideText({ kept: false })).toMatch(/neither approve nor decline.*not passed on/);
  });
});

describe('a run that is started over', () => {
  it.each<[LedgerState, Date | null, string]>([
    ['settled', NOW, 'the planner was told, and its plan went on.'],
    ['sent', NOW, 'the planner was told; whether it was paid is not known.'],
    ['unknown', NOW, 'it is not known whether the planner heard of it, or whether it was paid.'],
    ['unknown', null, 'the planner was not told of it.'],
    ['approved', null, 'the planner was not told of it.'],
  ])('names what had been approved before: %s', (state, sentAt, words) => {
    const text = startedOverText({ actorId: 'U3', payments: [anEntry(), anApproved({ state, sentAt })] });
    expect(text.split('\n').slice(0, 2)).toEqual([
      '<@U3> started over. In the run before, this had been approved (I moved no money myself):',
      `• 25 USD to Parcel Desk, approved by <@U1> at ${AT}: ${words}`,
    ]);
  });

  it('never sums amounts', () => {
    const text = startedOverText({ actorId: 'U3', payments: [anApproved(), anApproved()] });
    expect(text.match(/25 USD/g)).toHaveLength(2);
    expect(text).not.toContain('50');
  });
});

describe('the list of what waits', () => {
  it('names payments, of others too, and cards', () => {
    const run = aRun({ requesterId: 'U7', state: 'paused' });
    const waiting = [
      { pause: aPayment(), run },
      { pause: aCardPause(aCard({ title: 'Pick a seat' })), run },
    ];
    const text = statusListText({ runs: [], waiting, now: NOW });
    expect(text).toContain(
      `• a payment of 25 USD (stripe) to Parcel Desk – until ${UNTIL} · <#C1> · “Plan a trip to Paris” by <@U7>`,
    );
    expect(text).toContain(`• the card “Pick a seat” – until ${UNTIL}`);
  });

  it('says of a run that it waits for approval', () => {
    const run = aRun({ state: 'paused' });
    const text = statusListText({ runs: [run], waiting: [{ pause: aPayment(), run }], now: NOW });
    expect(text).toContain('“Plan a trip to Paris” – Waiting for approval');
  });
});

describe('a card that only informs', () => {
  it('shows everything on it, without buttons', () => {
    const card = aCard({
      title: 'Booked',
      items: [
        { type: 'row', label: 'Fare', value: '88 USD' },
        { type: 'image', url: 'https://img.example/a.png', alt: 'A plane' },
      ],
      choices: choicesOf('Rebook'),
      notUnderstood: ['a video'],
    });
    const content = cardNoticeMessage(card);
    expect(messageProblems(content)).toEqual([]);
    expect(elementsOf(content)).toEqual([]);
    for (const part of ['needs no answer', 'Booked', '88 USD', '1. Rebook', 'a video']) {
      expect(shownText([...content.blocks])).toContain(part);
    }
    expect(shownText([...(content.fallbackBlocks ?? [])])).toContain('_Image:_ A plane');
  });

  it('fits Slack, whatever it holds', () => {
    const text = anyText();
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 80 }),
        fc.array(text, { maxLength: 150 }),
        text,
        (items, choices, title) => {
          const card = aCard({
            title,
            items: items.map((one) => ({ type: 'text', text: one })),
            choices: choicesOf(...choices),
            notUnderstood: choices,
          });
          const content = cardNoticeMessage(card);
          expect(messageProblems(content)).toEqual([]);
          expect(pings(content)).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('every text on pauses', () => {
  it('fits one message, pings nobody it should not, and keeps the order of its own words', () => {
    const text = anyText();
    const someone = fc.record({ name: text, address: text, amount: text, currency: text, method: text, title: text });
    fc.assert(
      fc.property(someone, fc.constantFrom(...LEDGER_STATES), text, (one, state, words) => {
        const terms = someTerms({
          payeeName: one.name,
          payeeAddress: one.address,
          askerAddress: null,
          options: [{ amount: one.amount, currency: one.currency, method: one.method }],
        });
        for (const said of textsAbout({ terms, state, title: one.title, words })) {
          const content = noticeMessage(said);
          expect(messageProblems(content)).toEqual([]);
          expect(pings(content).filter((ping) => !['@U1', '@U2', '@U3'].includes(ping))).toEqual([]);
          expect(reaching(said)).toBe('');
        }
      }),
      { numRuns: 100 },
    );
  });
});

type About = { terms: LedgerEntry['terms']; state: LedgerState; title: string; words: string };

function textsAbout({ terms, state, title, words }: About): string[] {
  const payment = aPayment(terms);
  const card = aCardPause(aCard({ title }));
  const run = aRun({ text: words, state: 'paused' });
  const approved = anApproved({ terms, state });
  const waiting = [payment, card].map((pause) => ({ pause, run }));
  return [
    late(payment, anApproval()),
    late(payment, aRefusal(words)),
    late(card, aCardDecision({ label: title, text: words })),
    reminderText({ pause: payment, run, approversText: '<@U1>' }),
    reminderText({ pause: card, run, approversText: null }),
    startedOverText({ actorId: 'U3', payments: Array.from({ length: 30 }, () => approved) }),
    statusListText({ runs: [run], waiting, now: NOW }),
  ];
}

function anyText(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(
      'L'.repeat(300),
      '漢'.repeat(40_000),
      '&'.repeat(300),
      'שלום <!channel> @here <@U9>',
      '\u202E05\u2067 \u2068evil\u200F',
      'ع\n'.repeat(2_000),
      '\u0000\u0007',
      '25',
      '',
    ),
  );
}
