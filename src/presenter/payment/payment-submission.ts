import type { PaymentOption, PaymentTerms } from '../../domain/payment.ts';
import { truncate } from '../text/escape.ts';
import { chosenIndexes, typedText } from '../view-state.ts';
import { PAYMENT_MODAL } from './payment-ids.ts';
import { amountText, MODAL_TERMS } from './payment-terms.ts';

/** Tells whether two plain decimals (`25`, `25.00`) are the same number, exactly; anything else never is. */
export type SameAmount = (a: string, b: string) => boolean;

const SHOWN = 100;

/**
 * Reads the submission of `paymentModal` from its `view.state`: which option was approved, or what is wrong per block,
 * for `response_action: errors`. An approval that is not clear is never one.
 */
export function readPaymentSubmission(
  state: unknown,
  rules: { terms: PaymentTerms; mustRetype: boolean; sameAmount: SameAmount },
): { optionIndex: number } | { errors: Record<string, string> } {
  const optionIndex = chosenOption(state, rules.terms);
  const option = optionIndex === null ? undefined : rules.terms.options[optionIndex];
  if (optionIndex === null || !option) return { errors: { [PAYMENT_MODAL.optionBlockId]: 'Please choose one.' } };
  const place = { blockId: PAYMENT_MODAL.amountBlockId, inputId: PAYMENT_MODAL.amountInputId };
  if (rules.mustRetype && !isRetyped(typedText(state, place), option, rules.sameAmount)) {
    const wanted = truncate(amountText(option), SHOWN);
    return { errors: { [PAYMENT_MODAL.amountBlockId]: `This is not the amount. To approve it, type: ${wanted}` } };
  }
  return { optionIndex };
}

function chosenOption(state: unknown, { options }: PaymentTerms): number | null {
  if (options.length === 1) return 0;
  const place = {
    blockId: PAYMENT_MODAL.optionBlockId,
    inputId: PAYMENT_MODAL.optionInputId,
    count: Math.min(options.length, MODAL_TERMS.maxOptions),
  };
  const chosen = chosenIndexes(state, place);
  return chosen?.length === 1 ? (chosen[0] ?? null) : null;
}

/** Spaces and the option's own currency before or after do not matter; any other word or mark does. */
function isRetyped(typed: string, { amount, currency }: PaymentOption, sameAmount: SameAmount): boolean {
  const wanted = squeeze(amount);
  const text = squeeze(typed);
  return [text, withoutCurrency(text, squeeze(currency))].some((number) => {
    if (number === '') return false;
    return number === wanted || sameAmount(number, wanted);
  });
}

function withoutCurrency(text: string, currency: string): string {
  if (currency === '') return text;
  if (text.endsWith(currency)) return text.slice(0, -currency.length);
  return text.startsWith(currency) ? text.slice(currency.length) : text;
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase();
}
