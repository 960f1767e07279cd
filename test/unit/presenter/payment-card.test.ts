import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerState } from '../../../src/domain/payment.ts';
import { paymentCard } from '../../../src/presenter/payment/payment-card.ts';
import { declineModal, paymentModal, termsChangedModal } from '../../../src/presenter/payment/payment-modal.ts';
import { aPause, aRun, NOW } from './factories.ts';
import {
  aPaymentView,
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

  it('shows the first of two approvals', () => {
    const text = shown(card({ approversNeeded: 2, approvals: ['U2'] }));
    expect(text).toContain('*1 of 2 approvals.* Approved by <@U2>. 1 more, by someone else, is needed.');
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
    const nothing = { payeeName: null, payeeAddress: null, description: null, reference: null, deadlineSeconds: null };
    const text = shown(card({ terms: someTerms(nothing), spentLines: [] }));
    expect(text).toContain('not named');
    expect(text).not.toMatch(/null|undefined|Deadline|Reference/);
  });
});

describe('a payment card that is over', () => {
  const decidedAt = NOW;
  const approved = { verdict: 'approve', optionIndex: 0, reason: null } as const;

  it.each<[LedgerState, string]>([
    ['approved', 'The planner is told next'],
    ['sent', 'The planner has been told.'],
    ['settled', 'its plan went on'],
    ['unknown', 'It is not known whether the planner heard of the approval'],
  ])('says who approved what and when, with the ledger at %s', (ledgerState, words) => {
    const content = card({ ledgerState }, { state: 'decided', decision: approved, decidedBy: 'U1', decidedAt });
    expect(shown(content)).toContain(
      '*<@U1> approved at <!date^1790856307^{time}|12:05 UTC>:*\n25 USD (stripe) to Parcel Desk',
    );
    expect(shown(content)).toContain(words);
    expect(elementsOf(content)).toEqual([]);
  });

  it('names both who approved', () => {
    const decided = { state: 'decided', decision: approved, decidedBy: 'U2', decidedAt } as const;
    expect(shown(card({ approvals: ['U1', 'U2'], approversNeeded: 2 }, decided))).toContain('<@U1> and <@U2> approved');
  });

  it('shows who declined and why', () => {
    const decision = { verdict: 'decline', optionIndex: null, reason: 'Too dear <!here>' } as const;
    const content = card({}, { state: 'decided', decision, decidedBy: 'U1', decidedAt });
    expect(shown(content)).toContain('*<@U1> declined at');
    expect(shown(content)).toContain('>Too dear &lt;!here&gt;');
    expect(elementsOf(content)).toEqual([]);
  });

  it('says that the policy declined', () => {
    const decision = { verdict: 'decline', optionIndex: null, reason: 'Over the cap' } as const;
    expect(shown(card({}, { state: 'decided', decision, decidedAt }))).toContain('*The policy declined');
  });

  it('offers only Start over once expired, and nothing once someone did', () => {
    const expired = card({ approvals: ['U2'], approversNeeded: 2 }, { state: 'expired' });
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
        'a\n'.repeat(5_000),
        'שלום <!channel> @here <@U9> '.repeat(20),
        '',
      ),
    );
    const option = fc.record({ amount: text, currency: text, method: text });
    const anyTerms = fc.record({
      payeeName: fc.option(text),
      payeeAddress: fc.option(text),
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
        const decision = { verdict: said, optionIndex: 0, reason };
        const content = card(
          { terms, ledgerState, spentLines: [reason] },
          { state: pauseState, decision, decidedBy: 'U1' },
        );
        expect(pings(content).filter((ping) => ping !== '@U1')).toEqual([]);
        for (const view of [
          paymentModal({ ...METADATA, terms, mustRetype: true }),
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
