import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerState } from '../../../src/domain/payment.ts';
import { paymentCard } from '../../../src/presenter/payment/payment-card.ts';
import { declineModal, paymentModal, termsChangedModal } from '../../../src/presenter/payment/payment-modal.ts';
import { reaching } from './direction-rules.ts';
import { aPause, aRun, NOW } from './factories.ts';
import {
  anApproval,
  anApproved,
  anEntry,
  aPaymentView,
  aRefusal,
  METADATA,
  messageProblems,
  pings,
  shownText,
  someTerms,
  viewProblems,
} from './money-factories.ts';
import { elementsOf, read } from './slack-rules.ts';

function card(...parts: Parameters<typeof aPaymentView>) {
  const content = paymentCard(aPaymentView(...parts));
  expect(messageProblems(content)).toEqual([]);
  return content;
}

const shown = (content: { blocks: readonly object[] }) => shownText([...content.blocks]);
const labels = (content: { blocks: readonly object[] }) => elementsOf(content).map((one) => read(one.text, 'text'));

describe('an open payment card', () => {
  it('shows payee, amount, method, description, reference, deadline, who may decide and what was spent', () => {
    const text = shown(card());
    for (const part of [
      'Parcel Desk',
      'agent1qabcde…23456789',
      '25 USD',
      'stripe',
      '>A parcel of 2 kg to Lyon',
      'ref-1',
      'about 5 min',
      '*Who may decide:* <@U1>, who asked',
      'Today in this channel: 12 of 100 USD',
      'I move no money myself',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('shows every option as received', () => {
    const options = [
      { amount: '0.0010', currency: 'FET', method: 'fet_direct' },
      { amount: '25.00', currency: 'usd', method: 'stripe' },
    ];
    const text = shown(card({ terms: someTerms({ options }) }));
    expect(text).toContain('0.0010 FET (fet_direct)');
    expect(text).toContain('25.00 usd (stripe)');
  });

  it('has buttons that carry the pause id and nothing else', () => {
    expect(elementsOf(card()).map((one) => [one.action_id, read(one.text, 'text'), one.value])).toEqual([
      ['payment_approve', 'Approve…', aPause().id],
      ['payment_decline', 'Decline', aPause().id],
    ]);
  });

  it('quotes what the planner said beside the terms, after them', () => {
    expect(shown(card())).toMatch(/Payee[\s\S]*What the planner says[\s\S]*>Parcel Desk asks to be paid first\./);
  });

  it('names the host of a link, and offers https without a user name only', () => {
    const links = [
      'https://pay.example.com/a',
      'http://plain.example.com/',
      'javascript:alert(1)',
      'https://bank.example@evil.example/',
      'data:text/html,x',
      'not a link',
      'https://pay.example.com/a',
    ];
    const content = card({ terms: someTerms({ links }) });
    const urls = elementsOf(content).filter((one) => one.url !== undefined);
    expect(urls.map((one) => [one.action_id, one.url, read(one.text, 'text')])).toEqual([
      ['payment_link_0', 'https://pay.example.com/a', 'Open pay.example.com'],
    ]);
  });

  it('keeps the end of a long host, which says whose it is', () => {
    const host = `bank.example.com.${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example`;
    const content = card({ terms: someTerms({ links: [`https://${host}/`] }) });
    expect(labels(content).at(-1)).toMatch(/^Open ….*evil\.example$/);
    expect(shown(content)).toContain(host);
  });

  it('shows a look-alike host in punycode', () => {
    const content = card({ terms: someTerms({ links: ['https://pаypal.com/checkout'] }) });
    expect(labels(content).at(-1)).toBe('Open xn--pypal-4ve.com');
    expect(shown(content)).toContain('`xn--pypal-4ve.com`');
  });

  it('isolates right-to-left names, so that amounts and our own words keep their order', () => {
    const terms = someTerms({
      payeeName: 'שליח \u202E99',
      options: [{ amount: '2\u200F5', currency: 'ש״ח', method: 'אשראי' }],
    });
    const content = card({ terms });
    expect(content.text).toContain('25 \u2068ש״ח\u2069 (\u2068אשראי\u2069) to \u2068שליח 99\u2069');
    expect(reaching(content.text)).toBe('');
    expect(shown(content)).toContain('25 \u2068ש״ח\u2069');
  });

  it('shows the first of two approvals', () => {
    const text = shown(card({ entry: anEntry({ approversNeeded: 2, approverIds: ['U2'] }) }));
    expect(text).toContain('*1 of 2 approvals.* Approved by <@U2>. 1 more, by someone else, is needed.');
  });

  it('shows of several options which one was chosen by whom, and what is still needed', () => {
    const options = [
      { amount: '2', currency: 'USD', method: 'stripe' },
      { amount: '3', currency: 'EUR', method: 'stripe' },
    ];
    const entry = anEntry({ approversNeeded: 2, approverIds: ['U2'], optionIndex: 1 });
    const content = card({ terms: someTerms({ options }), entry });
    expect(shown(content)).toContain('*Option 1 (not chosen)*\n2 USD (stripe)\n*Option 2 (chosen)*\n3 EUR (stripe)');
    expect(shown(content)).toContain(
      'Approved by <@U2>: option 2, 3 EUR (stripe). No other option can be approved now. 1 more, by someone else, is needed.',
    );
    expect(content.text).toContain(': 3 EUR (stripe) to Parcel Desk');
    expect(shown(card({ terms: someTerms({ options }) }))).not.toContain('chosen');
  });

  it('says that the amount has to be typed again', () => {
    expect(shown(card({ mustRetype: true }))).toContain('typed again');
    expect(shown(card())).not.toContain('typed again');
  });

  it('cannot ping, forge a line or hide the amount through any text', () => {
    const evil = '<!channel> <@U9>\n*Who may decide:* anyone @here';
    const terms = someTerms({ payeeName: evil, description: evil, reference: evil, payeeAddress: evil });
    const content = card({ terms, spentLines: [evil] });
    expect(pings(content)).toEqual(['@U1']);
    expect(shown(content)).not.toMatch(/^\*Who may decide:\* anyone/m);
  });

  it('says what is missing instead of inventing it', () => {
    const nothing = {
      payeeName: null,
      payeeAddress: null,
      askerAddress: null,
      description: null,
      reference: null,
      deadlineSeconds: null,
    };
    const text = shown(card({ terms: someTerms(nothing), spentLines: [] }));
    expect(text).toContain('not named');
    expect(text).not.toMatch(/null|undefined|Deadline|Reference/);
  });
});

describe('a payment card that is over', () => {
  const decidedAt = NOW;
  const approved = anApproval();

  it.each<[LedgerState, string]>([
    ['approved', 'The planner is told next'],
    ['sent', 'The planner has been told.'],
    ['settled', 'its plan went on'],
    ['unknown', 'It is not known whether the planner heard of the approval'],
  ])('says who approved what and when, with the ledger at %s', (state, words) => {
    const entry = anApproved({ state, sentAt: NOW });
    const content = card({ entry }, { state: 'decided', decision: approved, decidedBy: 'U1', decidedAt });
    expect(shown(content)).toContain(
      '*<@U1> approved at <!date^1790856307^{time}|12:05 UTC>:*\n25 USD (stripe) to Parcel Desk',
    );
    expect(shown(content)).toContain(words);
    expect(elementsOf(content)).toEqual([]);
  });

  const approvedBy = { state: 'decided', decision: anApproval(), decidedBy: 'U1', decidedAt: NOW } as const;
  const interrupted = aRun({ state: 'interrupted', failure: 'stream_cut' });

  it('whose approval never left says so, and that Resume tells the planner', () => {
    const text = shown(card({ entry: anApproved({ state: 'unknown' }), run: interrupted }, approvedBy));
    expect(text).toContain('The run ended before the planner was told of the approval.');
    expect(text).toContain('*The run could not go on.* The connection to the planner broke');
    expect(text).toContain(
      '*Resume* on the status message tells the planner of the approval, if the policy still allows it.',
    );
    expect(text).not.toContain('It is not known');
  });

  it('whose approval left before the end says that nobody knows, and asks a person', () => {
    const entry = anApproved({ state: 'unknown', sentAt: NOW });
    const text = shown(card({ entry, run: interrupted }, approvedBy));
    expect(text).toContain('It is not known whether the planner heard of the approval, or whether anything was paid.');
    expect(text).toContain('Nothing goes on by itself: decide at the status message.');
  });

  it.each([
    ['running', 'Someone has let the run go on since.'],
    ['completed', 'Someone has let the run go on since, and it is done.'],
  ] as const)('says that an unknown payment was resumed by a person: %s', (state, words) => {
    const entry = anApproved({ state: 'unknown', sentAt: NOW });
    const text = shown(card({ entry, run: aRun({ state }) }, approvedBy));
    expect(text).toContain(words);
    expect(text).not.toContain('Nothing goes on by itself');
  });

  it('of a closed run asks for nothing any more', () => {
    const choice = { action: 'close', actorId: 'U1', at: NOW } as const;
    const entry = anApproved({ state: 'unknown', sentAt: NOW });
    const text = shown(card({ entry, run: { ...interrupted, choice } }, approvedBy));
    expect(text).not.toMatch(/could not go on|decide at the status message/);
  });

  it('names both who approved', () => {
    const decided = { state: 'decided', decision: approved, decidedBy: 'U2', decidedAt } as const;
    expect(shown(card({ entry: anApproved({ approverIds: ['U1', 'U2'], approversNeeded: 2 }) }, decided))).toContain(
      '<@U1> and <@U2> approved',
    );
  });

  it('shows who declined and why', () => {
    const decision = aRefusal('Too dear <!here>');
    const content = card({}, { state: 'decided', decision, decidedBy: 'U1', decidedAt });
    expect(shown(content)).toContain('*<@U1> declined at');
    expect(shown(content)).toContain('>Too dear &lt;!here&gt;');
    expect(elementsOf(content)).toEqual([]);
  });

  it('says that the policy declined', () => {
    const text = shown(card({}, { state: 'decided', decision: aRefusal('Over the cap'), decidedAt }));
    expect(text).toContain('*The policy declined at');
    expect(text).toContain('>Over the cap');
  });

  it('offers only Start over once expired, and nothing once someone did', () => {
    const expired = card({ entry: anEntry({ approverIds: ['U2'], approversNeeded: 2 }) }, { state: 'expired' });
    expect(elementsOf(expired).map((one) => [one.action_id, one.value])).toEqual([['start_over_run', aRun().id]]);
    expect(shown(expired)).toContain('One of two approvals had been given, by <@U2>');
    const choice = { action: 'start_over', actorId: 'U1', at: NOW } as const;
    expect(elementsOf(card({ run: aRun({ choice }) }, { state: 'expired' }))).toEqual([]);
  });

  it('of a stopped run says who stopped it', () => {
    const content = card({ run: aRun({ stopRequestedBy: 'U3' }) }, { state: 'cancelled' });
    expect(shown(content)).toContain('stopped by <@U3>');
    expect(elementsOf(content)).toEqual([]);
  });
});

describe('payment cards and modals', () => {
  it('fit Slack with any terms', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.constantFrom(
        '&'.repeat(9_000),
        '漢'.repeat(9_000),
        '\n'.repeat(9_000),
        '漢'.repeat(40_000),
        '"'.repeat(40_000),
        'ע\u202E\n'.repeat(20_000),
        '\u0000\u001B[31m',
        'a\n'.repeat(5_000),
        'שלום <!channel> @here <@U9> '.repeat(20),
        '',
      ),
    );
    const option = fc.record({ amount: text, currency: text, method: text });
    const anyTerms = fc.record({
      payeeName: fc.option(text),
      payeeAddress: fc.option(text),
      askerAddress: fc.option(text),
      options: fc.array(option, { minLength: 1, maxLength: 130 }),
      description: fc.option(text),
      reference: fc.option(text),
      deadlineSeconds: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
      links: fc.array(fc.oneof(text, fc.webUrl(), fc.webUrl({ validSchemes: ['https'] })), { maxLength: 12 }),
    });
    const ledger: fc.Arbitrary<LedgerState> = fc.constantFrom('requested', 'approved', 'sent', 'settled', 'unknown');
    const state = fc.constantFrom('open', 'decided', 'expired', 'cancelled');
    const verdict = fc.constantFrom('approve', 'decline');
    fc.assert(
      fc.property(anyTerms, ledger, state, verdict, text, (terms, ledgerState, pauseState, said, reason) => {
        const decision = { ...aRefusal(reason), verdict: said, optionIndex: 0 };
        const entry = anApproved({ terms, state: ledgerState });
        const content = card({ terms, entry, spentLines: [reason] }, { state: pauseState, decision, decidedBy: 'U1' });
        expect(pings(content).filter((ping) => ping !== '@U1')).toEqual([]);
        expect(reaching(content.text)).toBe('');
        for (const view of [
          paymentModal({ ...METADATA, terms, mustRetype: true, spentLines: [] }),
          declineModal({ ...METADATA, terms }),
          termsChangedModal({ terms }),
        ]) {
          expect(viewProblems(view)).toEqual([]);
          expect(pings({ text: '-', blocks: view.blocks })).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
