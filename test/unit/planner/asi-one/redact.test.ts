import { expect, it } from 'vitest';
import { redact } from '../../../../src/planner/asi-one/redact.ts';

const KEY = 'sk_live_0123456789abcdef';
const SESSION = '4f9c2b18-6d1e-4a77-9f30-2c5b8e7a1d64';

it.each([`Authorization: Bearer ${KEY}`, `the key ${KEY} is bad`, `no plan for session ${SESSION}`])(
  'a secret that was given is not left in: %s',
  (text) => {
    const clean = redact(text, [KEY, SESSION]);
    expect(clean).toContain('[redacted]');
    for (const secret of [KEY, SESSION]) expect(clean).not.toContain(secret);
  },
);

it('a long text is cut to 2,000 characters and its secrets are gone before', () => {
  const clean = redact(`${'x'.repeat(1_990)}${KEY}${'y'.repeat(9_000)}`, [KEY]);
  expect(clean).toHaveLength(2_000);
  expect(clean).not.toContain('sk_');
});

it('a text without secrets stays as it is', () => {
  expect(redact('model asi9 not found', [KEY, ''])).toBe('model asi9 not found');
});
