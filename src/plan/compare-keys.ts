const NATURAL = new Intl.Collator('en', { numeric: true });
const DIGITS = /^\d{1,15}$/;

/** Orders keys as people number things: `2` before `10`, `1.2` before `1.10`, numbers before words. Never 0 for two keys. */
export function compareKeys(a: string, b: string): number {
  const bothNumbers = DIGITS.test(a) && DIGITS.test(b);
  const order = bothNumbers ? Number(a) - Number(b) : NATURAL.compare(a, b);
  // Keys that only look alike (`1` and `01`) still need an order that does not depend on which came first.
  return order !== 0 ? order : Number(a > b) - Number(a < b);
}
