import { currencyKey } from '../domain/money.ts';
import type { PaymentTerms } from '../domain/payment.ts';
import { methodKey, payeeKey } from './keys.ts';
import { amountProblem } from './money.ts';

/** One option of a payment in the forms that rules and caps compare. */
export type PaymentFacts = {
  amount: string;
  currency: string;
  method: string;
  /** The recipient and, where that is not the same, the agent that asks. Null: not told, or not plainly. */
  payees: readonly string[] | null;
  requesterId: string;
  channelId: string;
};

/** Reads one option, or says why nobody can decide on it. Does not repeat what the agent wrote. */
export function readFacts(
  { terms, requesterId, channelId }: { terms: PaymentTerms; requesterId: string; channelId: string },
  index: number,
): { facts: PaymentFacts } | { problem: string } {
  const option = terms.options[index];
  if (!option) return { problem: 'There is no such option.' };
  const problem = amountProblem(option.amount);
  if (problem !== null) return { problem: `The amount ${problem}.` };
  const currency = currencyKey(option.currency);
  if (currency === null) return { problem: 'The currency is not a plain code such as USD.' };
  const method = methodKey(option.method);
  if (method === null) return { problem: 'The payment method is not a plain name such as stripe.' };
  return { facts: { amount: option.amount, currency, method, payees: payeesOf(terms), requesterId, channelId } };
}

function payeesOf({ payeeAddress, askerAddress }: PaymentTerms): string[] | null {
  const keys = [payeeKey(payeeAddress), ...(askerAddress === null ? [] : [payeeKey(askerAddress)])];
  return keys.every((key) => key !== null) ? keys : null;
}
