/** The value below which a share of the values lies (nearest rank). `share` from 0 to 1; the list may be in any order. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('There is no percentile of no values');
  return value;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
