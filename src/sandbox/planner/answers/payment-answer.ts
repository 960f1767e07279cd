import { isObject, type JsonObject } from '../json.ts';
import type { AnswerReading } from './reading.ts';

type Funds = { amount: string; currency: string; method: string };

const APPROVE = /\bapprove/i;
const DECLINE = /\bdecline/i;
/** As much of a name as an answer must repeat. */
const NAME_CHARS = 100;

/**
 * An approval names one of the accepted funds, a refusal at least one, by amount and currency exactly as they were sent;
 * both name the payee. Which of the two it is, its first such word says.
 */
export function readPaymentAnswer(request: JsonObject, text: string): AnswerReading {
  const words = oneLine(text);
  const approveAt = words.search(APPROVE);
  const declineAt = words.search(DECLINE);
  if (approveAt === -1 && declineAt === -1) return { fault: 'the answer neither approves nor declines the payment' };
  const payees = payeesOf(request);
  if (payees.length > 0 && !payees.some((payee) => words.includes(payee)))
    return { fault: `the answer does not name the payee ${payees.join(' or ')}` };
  const funds = fundsOf(request);
  const named = namedFunds(funds, words);
  if (named.length === 0)
    return {
      fault: `the answer names none of ${funds.map(({ amount, currency }) => `${amount} ${currency}`).join(', ')}`,
    };
  const isRefusal = approveAt === -1 || (declineAt !== -1 && declineAt < approveAt);
  if (isRefusal) return { answer: { says: 'decline' } };
  const [option] = named;
  if (option === undefined || named.length > 1) return { fault: 'the approval names more than one way to pay' };
  return { answer: { says: 'approve', option } };
}

/** Places of the funds that are named; of those alike in amount and currency, the ones whose method is named too. */
function namedFunds(funds: readonly Funds[], words: string): number[] {
  const priced = funds.flatMap((each, index) => (holds(words, `${each.amount} ${each.currency}`) ? [index] : []));
  if (priced.length < 2) return priced;
  const byMethod = priced.filter((index) => holds(words, funds[index]?.method ?? ''));
  return byMethod.length > 0 ? byMethod : priced;
}

function fundsOf(request: JsonObject): Funds[] {
  const funds = Array.isArray(request.accepted_funds) ? request.accepted_funds.filter(isObject) : [];
  return funds.map(({ amount, currency, payment_method: method }) => ({
    amount: oneLine(String(amount)),
    currency: oneLine(String(currency)),
    method: oneLine(String(method ?? 'fet_direct')),
  }));
}

function payeesOf({ recipient, recipient_name: name }: JsonObject): string[] {
  return [recipient, name]
    .filter((each) => typeof each === 'string')
    .map((each) => oneLine(each).slice(0, NAME_CHARS).trim())
    .filter(Boolean);
}

/** Whether a phrase stands in a text, not as part of a longer word or number. */
function holds(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + phrase.length] ?? ' ';
    if (!/[\p{L}\p{N}.,+-]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

/** Text as a person reads it: invisible characters and the kind of spaces do not count. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
}
