import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyKey } from '../../../src/domain/money.ts';
import {
  amountLeft,
  amountProblem,
  isAboveThreshold,
  isGreater,
  parseMoney,
  sameAmount,
  sumOf,
} from '../../../src/policy/money.ts';

const units = fc.bigInt({ min: 1n, max: 10n ** 33n - 1n });

/** Units of 10^-18 as plain decimal text. */
function decimal(value: bigint): string {
  const digits = value.toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

describe('amounts', () => {
  it.each(['25', '0.5', '25.00', '0.000000000000000001', '999999999999999', '1.10'])('takes %s', (amount) => {
    expect(amountProblem(amount)).toBeNull();
  });

  it.each(
    [
      ['', '-1', '+1', '0', '0.00', '-0', '00', '007', '.5', '5.', '1.2.3', '1,000', '1.000,00', '1_000'],
      ['1e3', '1E3', '1e-3', '0x10', '0b1', '1n', 'NaN', 'Infinity', '-Infinity', '∞', '½', '²', 'ten', 'null'],
      [' 25', '25 ', '25\n', '2 5', '25\u00a0', '\u200b25', '25\0', '٢٥', '２５', '25 USD', '$25', '25%'],
      ['9'.repeat(40), '1'.repeat(16), `0.${'1'.repeat(19)}`, `0.${'0'.repeat(40)}1`, '1'.repeat(100_000), '25;DROP'],
    ].flat(),
  )('refuses %j', (amount) => {
    expect(amountProblem(amount)).not.toBeNull();
  });

  it('sums exactly what floats cannot', () => {
    expect(sumOf(['0.1', '0.2'])).toBe('0.3');
    expect(sumOf(['999999999999999', '0.000000000000000001'])).toBe('999999999999999.000000000000000001');
    expect(sumOf([])).toBe('0');
  });

  it.each(['1e3', '-1', 'NaN', '', '1,5'])('knows no sum with %j in it', (amount) => {
    expect(sumOf(['1', amount])).toBeNull();
  });

  it('sums to the same in any order, and exactly', () => {
    fc.assert(
      fc.property(fc.array(units, { maxLength: 50 }), (values) => {
        const sum = values.reduce((total, value) => total + value, 0n);
        const there = sumOf(values.map(decimal)) ?? '';
        expect(sumOf(values.map(decimal).reverse())).toBe(there);
        expect(sameAmount(there, decimal(sum))).toBe(true);
      }),
    );
  });

  it('compares as whole numbers would', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        expect(isGreater(decimal(a), decimal(b))).toBe(a > b);
        expect(sameAmount(decimal(a), decimal(b))).toBe(a === b);
        expect(sameAmount(amountLeft(decimal(a), decimal(b)), decimal(a > b ? a - b : 0n))).toBe(true);
      }),
    );
  });

  it('holds 25 and 25.00 for the same, and nothing else that is no decimal', () => {
    expect(sameAmount('25', '25.00')).toBe(true);
    expect(sameAmount('25', '25.01')).toBe(false);
    expect(sameAmount('NaN', 'NaN')).toBe(false);
  });
});

describe('currencies', () => {
  it('compares without case', () => {
    expect(currencyKey('usd')).toBe(currencyKey('USD'));
  });

  it.each([
    '',
    '$',
    'US$',
    'US Dollar',
    'UЅD',
    'ＵＳＤ',
    'USD ',
    'US\u200bD',
    'x'.repeat(21),
    '1USD',
    'USD.',
    'U.S.D',
    'USD_',
    'U-SD',
  ])('refuses %j', (code) => {
    expect(currencyKey(code)).toBeNull();
  });

  it.each(['25', 'USD', '25  USD', '25 USD please', '25USD', '1e3 USD', '-1 USD', '25 $'])(
    'reads no money in %j',
    (text) => {
      expect(parseMoney(text)).toBeNull();
    },
  );

  it('takes what cannot be compared with a threshold as above it', () => {
    const threshold = { amount: '50', currency: 'USD' };
    expect(isAboveThreshold({ amount: '50.00', currency: 'usd' }, threshold)).toBe(false);
    expect(isAboveThreshold({ amount: '50.01', currency: 'USD' }, threshold)).toBe(true);
    expect(isAboveThreshold({ amount: '1', currency: 'FET' }, threshold)).toBe(true);
    expect(isAboveThreshold({ amount: '1e1', currency: 'USD' }, threshold)).toBe(true);
  });
});
