import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs, retryDelayMs } from '../../../../../src/planner/asi-one/http/retry-policy.ts';

const NOW_MS = Date.parse('2026-11-30T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['2', 2_000],
    ['0', 0],
    ['0.5', 500],
    ['86400', 60_000],
    ['-3', 0],
    ['Mon, 30 Nov 2026 12:00:05 GMT', 5_000],
    ['Mon, 30 Nov 2026 11:00:00 GMT', 0],
    ['Mon, 30 Nov 2026 23:00:00 GMT', 60_000],
    ['soon', null],
    ['', null],
    [null, null],
  ])('%s means %s ms', (header, expected) => {
    expect(parseRetryAfterMs(header, NOW_MS)).toBe(expected);
  });
});

describe('the wait before the next attempt', () => {
  const policy = { attempts: 5, baseDelayMs: 100, maxDelayMs: 1_000 };

  it('doubles up to its limit, half of it random', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempt) =>
      retryDelayMs(policy, { attempt, retryAfterMs: null, random: () => 1 }),
    );
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(retryDelayMs(policy, { attempt: 1, retryAfterMs: null, random: () => 0 })).toBe(50);
  });

  it('is what the planner asked for', () => {
    expect(retryDelayMs(policy, { attempt: 1, retryAfterMs: 7_000, random: () => 1 })).toBe(7_000);
  });
});
