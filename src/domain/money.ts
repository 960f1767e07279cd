/** At most 15 digits before the point and 18 after it, so that every sum stays exact wherever it is added up. */
const AMOUNT = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,18})?$/;
/** ASCII letters and digits only: `UЅD` or `USD.` must not be a second currency, which a cap on USD does not know. */
const CURRENCY = /^[A-Za-z][A-Za-z0-9]{0,19}$/;

/**
 * Whether a text is an amount that can be read in one way only: digits with at most one point. Signs, exponents,
 * separators, spaces, leading zeros and digits of other scripts are none. Zero is one.
 */
export function isPlainAmount(text: string): boolean {
  return AMOUNT.test(text);
}

/** A currency in the form in which two are compared (upper case); null when it is no plain code. */
export function currencyKey(currency: string): string | null {
  return CURRENCY.test(currency) ? currency.toUpperCase() : null;
}
