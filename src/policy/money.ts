import { Decimal } from 'decimal.js';
import { currencyKey, isPlainAmount } from '../domain/money.ts';

/** Wide enough that no sum of amounts that `amountProblem` lets through is ever rounded. */
const Exact = Decimal.clone({ precision: 250, defaults: true });

/** What a database's exact sum of amounts looks like. */
const SUM = /^\d{1,60}(?:\.\d{1,30})?$/;
const MONEY = /^(\S+) (\S+)$/;

/** An amount as decimal text, its currency in upper case. */
export type Money = { amount: string; currency: string };

/** Why nobody can decide on an amount, as the end of a sentence; null when it is plain and not zero. */
export function amountProblem(amount: string): string | null {
  if (!isPlainAmount(amount)) return 'is not a plain decimal number such as 25 or 0.50';
  return new Exact(amount).isZero() ? 'is zero' : null;
}

/** Reads `25 USD`, as settings and commands have it; null when it is anything else. Zero is read. */
export function parseMoney(text: string): Money | null {
  const [, amount = '', code = ''] = MONEY.exec(text) ?? [];
  const currency = currencyKey(code);
  return isPlainAmount(amount) && currency !== null ? { amount, currency } : null;
}

/** The exact sum as plain decimal text; null when one of the texts is no decimal, so that the sum is not known. */
export function sumOf(amounts: readonly string[]): string | null {
  if (!amounts.every((amount) => SUM.test(amount))) return null;
  return amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0)).toFixed();
}

/** Whether one plain decimal is greater than another. Throws for anything else. */
export function isGreater(amount: string, than: string): boolean {
  return new Exact(amount).gt(than);
}

/** Whether two plain decimals (`25`, `25.00`) are the same number, exactly. Anything else is never the same. */
export function sameAmount(a: string, b: string): boolean {
  return SUM.test(a) && SUM.test(b) && new Exact(a).eq(b);
}

/** What is left of a limit, never below zero, as plain decimal text. */
export function amountLeft(limit: string, spent: string): string {
  return Exact.max(0, new Exact(limit).minus(spent)).toFixed();
}

/**
 * Whether an option is greater than a threshold such as `PAYMENT_RETYPE_ABOVE`. One that cannot be compared with it
 * (another currency, no plain decimal) counts as greater.
 */
export function isAboveThreshold(option: Money, threshold: Money): boolean {
  if (amountProblem(option.amount) !== null || currencyKey(option.currency) !== threshold.currency) return true;
  return isGreater(option.amount, threshold.amount);
}
