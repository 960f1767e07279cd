import { readExactWord } from '../values/received-text.ts';

/** Longest amount that is read; a longer one is none, because a shortened amount is another amount. */
const MAX_AMOUNT_CHARS = 64;
/** Decimal digits that a JSON number keeps for certain (IEEE 754 double). */
const EXACT_DIGITS = 15;

/**
 * An amount of money as decimal text; undefined when there is none to be relied on.
 *
 * Text is kept exactly as it was sent. A JSON number has lost its own text by the time it is read: `25.10` becomes
 * `25.1` and `1e2` becomes `100`, the same amount written otherwise; one of more than 15 digits may have become another
 * amount, and is written so that nobody takes it for exact (`numberText`). uAgents' payment protocol sends text.
 */
export function readAmount(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? numberText(value) : undefined;
  return readExactWord(value, MAX_AMOUNT_CHARS);
}

/**
 * A JSON number as text. A number that may have lost digits when it was parsed is written with an exponent, so that
 * it is seen and, not being a plain decimal, paid by nobody.
 */
export function numberText(value: number): string {
  const scientific = value.toExponential();
  const [mantissa = '', power = ''] = scientific.split('e');
  const digits = mantissa.replace(/[-.]/g, '');
  if (digits.length > EXACT_DIGITS || Math.abs(value) > Number.MAX_SAFE_INTEGER) return scientific;
  const plain = String(value);
  if (!plain.includes('e')) return plain;
  const zeros = -Number(power) - 1;
  return zeros > MAX_AMOUNT_CHARS / 2 ? scientific : `${value < 0 ? '-' : ''}0.${'0'.repeat(zeros)}${digits}`;
}
