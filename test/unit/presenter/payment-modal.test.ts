import { describe, expect, it } from 'vitest';
import { sameAmount } from '../../../src/policy/money.ts';
import { noticeModal, readModalMetadata } from '../../../src/presenter/modals.ts';
import {
  declineModal,
  paymentModal,
  readDeclineReason,
  termsChangedModal,
} from '../../../src/presenter/payment/payment-modal.ts';
import { readPaymentSubmission } from '../../../src/presenter/payment/payment-submission.ts';
import { inputsOf, METADATA, shownText, someTerms, viewProblems } from './money-factories.ts';
import { list, read } from './slack-rules.ts';

const TWO = someTerms({
  options: [
    { amount: '25', currency: 'USD', method: 'stripe' },
    { amount: '0.0010', currency: 'FET', method: 'fet_direct' },
  ],
});

function modal(terms = someTerms(), mustRetype = false) {
  const view = paymentModal({ ...METADATA, terms, mustRetype, spentLines: ['Today in this channel: 12 of 100 USD'] });
  expect(viewProblems(view)).toEqual([]);
  return view;
}

const values = (blockId: string, inputId: string, input: object) => ({ values: { [blockId]: { [inputId]: input } } });
const option = (value: string) => values('payment_option', 'payment_option_input', { selected_option: { value } });
const amount = (value: string) => values('payment_amount', 'payment_amount_input', { value });

function submitted(state: unknown, { terms = someTerms(), mustRetype = false } = {}) {
  return readPaymentSubmission(state, { terms, mustRetype, sameAmount });
}

describe('the approval modal', () => {
  it('repeats the terms, with the address in full', () => {
    const text = shownText(modal());
    for (const part of [
      'Parcel Desk',
      'agent1qabcdefghijklmnopqrstuvwxyz0123456789',
      '25 USD',
      'stripe',
      'ref-1',
      'Lyon',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('names the amount on its button where it fits', () => {
    expect(read(modal().submit, 'text')).toBe('Approve 25 USD');
    const long = someTerms({ options: [{ amount: '1'.repeat(30), currency: 'USD', method: 'm' }] });
    expect(read(modal(long).submit, 'text')).toBe('Approve');
  });

  it('remembers what it was opened for', () => {
    expect(readModalMetadata(modal().private_metadata ?? '')).toEqual(METADATA);
    expect(readModalMetadata(declineModal({ ...METADATA, terms: TWO }).private_metadata ?? '')).toEqual(METADATA);
  });

  it('asks which way to pay only where there is more than one', () => {
    expect(inputsOf(modal())).toEqual([]);
    const [input] = inputsOf(modal(TWO));
    const options = list(read(read(input, 'element'), 'options'));
    expect(options.map((one) => [read(one, 'value'), read(read(one, 'text'), 'text')])).toEqual([
      ['0', '1. 25 USD (stripe)'],
      ['1', '2. 0.0010 FET (fet_direct)'],
    ]);
  });

  it('asks for the amount again where it must', () => {
    expect(inputsOf(modal(someTerms(), true)).map((input) => read(input, 'block_id'))).toEqual(['payment_amount']);
  });
});

describe('a submitted approval', () => {
  it('names the only option, or the chosen one', () => {
    expect(submitted({ values: {} })).toEqual({ optionIndex: 0 });
    expect(submitted(option('1'), { terms: TWO })).toEqual({ optionIndex: 1 });
  });

  it.each([null, { values: {} }, option('2'), option('-1'), option('x'), option('')])(
    'is refused without a known option: %j',
    (state) => {
      expect(submitted(state, { terms: TWO })).toEqual({ errors: { payment_option: 'Please choose one.' } });
    },
  );

  it.each(['25', ' 25 ', '25 USD', '25usd', 'USD 25', '25.00', '025'])('takes the amount typed as %j', (typed) => {
    expect(submitted(amount(typed), { mustRetype: true })).toEqual({ optionIndex: 0 });
  });

  it.each(['', '2', '250', '25,00', '25 EUR', '2.5', '-25', '25e0', 'USD', '25 USD USD', '٢٥'])(
    'refuses the amount typed as %j',
    (typed) => {
      expect(submitted(amount(typed), { mustRetype: true })).toEqual({
        errors: { payment_amount: 'This is not the amount. To approve it, type: 25 USD' },
      });
    },
  );

  it('wants the amount of the chosen option', () => {
    const both = (typed: string) => ({ values: { ...option('1').values, ...amount(typed).values } });
    expect(submitted(both('0.001'), { terms: TWO, mustRetype: true })).toEqual({ optionIndex: 1 });
    expect(submitted(both('25'), { terms: TWO, mustRetype: true })).toHaveProperty('errors.payment_amount');
  });
});

describe('the other payment modals', () => {
  it('read a reason, or none', () => {
    expect(viewProblems(declineModal({ ...METADATA, terms: TWO }))).toEqual([]);
    expect(readDeclineReason(values('decline_reason', 'decline_reason_input', { value: ' Too dear ' }))).toBe(
      'Too dear',
    );
    expect(readDeclineReason(values('decline_reason', 'decline_reason_input', { value: null }))).toBeNull();
  });

  it('show the new terms after a change', () => {
    const view = termsChangedModal({ terms: TWO });
    expect(viewProblems(view)).toEqual([]);
    expect(shownText(view)).toContain('0.0010 FET (fet_direct)');
    expect(view.submit).toBeUndefined();
  });

  it('say a thing and close', () => {
    expect(viewProblems(noticeModal('Already decided. '.repeat(1_000)))).toEqual([]);
  });
});
