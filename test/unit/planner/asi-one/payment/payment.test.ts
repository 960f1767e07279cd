import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentTerms } from '../../../../../src/domain/payment.ts';
import { numberText } from '../../../../../src/planner/asi-one/payment/exact-amount.ts';
import { readPayment } from '../../../../../src/planner/asi-one/payment/payment.ts';
import { isRecord, type JsonRecord } from '../../../../../src/planner/asi-one/values/json-record.ts';
import { dropSecrets } from '../../../../../src/planner/asi-one/values/received-text.ts';

type PaymentCase = { name: string; record: JsonRecord; terms: PaymentTerms | null };

const fixtures = new URL('../../../../fixtures/planner/payments.jsonl', import.meta.url);
const cases = readFileSync(fixtures, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as PaymentCase);

const REQUEST_KEYS = [
  'accepted_funds',
  'amount',
  'currency',
  'payment_method',
  'recipient',
  'metadata',
  'url',
] as const;

describe('a payment request', () => {
  it.each(cases)('$name', ({ record, terms }) => {
    expect(readPayment(record)).toEqual(terms);
  });

  it('is read as null or as whole terms from any JSON, and never throws', () => {
    const part = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('5', 'USD', 'stripe', '25 USD'));
    const request = fc.dictionary(fc.constantFrom(...REQUEST_KEYS), part);
    const record = fc.dictionary(
      fc.constantFrom('payment', 'payment_request', 'accepted_funds', 'agent', '__proto__'),
      fc.oneof(
        part,
        request,
        fc.array(request),
        request.map((value) => JSON.stringify(value)),
      ),
    );
    fc.assert(
      fc.property(record, (json) => {
        const terms = readPayment(JSON.parse(JSON.stringify(json)) as JsonRecord);
        if (terms === null) return;
        expect(terms.options.length).toBeGreaterThan(0);
        for (const option of terms.options) {
          for (const word of Object.values(option)) expect(word).toMatch(/^[^\p{C}]{1,64}$/u);
        }
        for (const link of terms.links) expect(link).toMatch(/^https:\/\/[a-z0-9.-]+\//);
      }),
      { numRuns: 500 },
    );
  });

  it('never lets a secret or its metadata through, wherever the secret stands', () => {
    const secret = 'cs_live_a1_secret_b2';
    const key = fc.constantFrom(
      'description',
      'reference',
      'recipient',
      'agent_name',
      'client_secret',
      'checkout_url',
      'token',
    );
    const value = fc.constantFrom(secret, `pay ${secret}`, `https://pay.example.com/?x=${secret}`, { text: secret }, [
      secret,
    ]);
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.dictionary(key, value), (request, metadata) => {
        const terms = readPayment({ payment: { amount: '1', currency: 'USD', ...request, metadata } });
        const { payeeAddress, ...shown } = terms ?? { payeeAddress: null };
        expect(JSON.stringify(shown)).not.toContain('secret_b2');
        expect(payeeAddress ?? '').not.toContain('secret_b2');
      }),
    );
  });

  it('with JSON of depth 100,000 is read past', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const terms = readPayment({
      payment: { amount: '1', currency: 'USD', metadata: deep, description: deep, links: deep },
    });
    expect(terms).toMatchObject({ options: [{ amount: '1' }], description: null, links: [] });
    expect(readPayment({ payment: deep, accepted_funds: deep })).toBeNull();
  });

  it('reads own keys only', () => {
    const inherited: unknown = Object.create({ payment: { amount: '1', currency: 'USD' } });
    expect(isRecord(inherited) && readPayment(inherited)).toBeNull();
    expect(
      readPayment(JSON.parse('{"__proto__":{"payment":{"amount":"1","currency":"USD"}}}') as JsonRecord),
    ).toBeNull();
  });
});

describe('a number as amount', () => {
  it('is a plain decimal only when it is exactly the number that was sent', () => {
    const digits = fc.tuple(fc.integer({ min: 1, max: 999_999_999_999_999 }), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(digits, ([whole, scale]) => {
        const sent = decimalText(whole, scale);
        expect(numberText(JSON.parse(sent) as number)).toBe(sent.includes('.') ? sent.replace(/\.?0+$/, '') : sent);
      }),
    );
  });

  it('has an exponent when it may have lost digits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = numberText(value);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
        if (!text.includes('e')) expect(text.replace(/[-.]/g, '').replace(/^0+/, '').length).toBeLessThanOrEqual(16);
      }),
    );
  });
});

describe('a payee', () => {
  const funds = { accepted_funds: [{ amount: '5', currency: 'USD', payment_method: 'stripe' }] };
  const payee = (recipient: string, agent: unknown) => readPayment({ agent, payment_request: { ...funds, recipient } });

  it.each([
    ['agent1qtrusted', { name: 'Desk', address: 'agent1qother' }],
    ['fetch1wallet', 'agent1qother'],
    ['0xwallet', 'agent1qother'],
    ['any words', 'agent1qother'],
  ])('%s is told with who asks for the money', (recipient, agent) => {
    expect(payee(recipient, agent)).toMatchObject({ payeeAddress: recipient, askerAddress: 'agent1qother' });
  });

  it.each([
    ['agent1qsame', 'agent://agent1qsame'],
    ['agent1qonly', 'Desk'],
  ])('%s is alone beside %s', (recipient, agent) => {
    expect(payee(recipient, agent)).toMatchObject({ payeeAddress: recipient, askerAddress: null });
  });

  it('is not read with an amount that names two currencies', () => {
    const request = { amount: '5 USD', currency: 'EUR', recipient: 'agent1qonly' };
    expect(readPayment({ payment_request: request })).toBeNull();
    expect(readPayment({ payment_request: { ...request, currency: 'usd' } })?.options).toEqual([
      { amount: '5', currency: 'USD', method: 'unspecified' },
    ]);
  });
});

describe('a text with secrets', () => {
  // Anything but linear work on it takes minutes, and runs into the time limit of every test.
  it.each(['eyJ-', 'eyJa.', 'a_secret', 'Bearer ', 'password ', '_secret_', 'sk_ '])(
    'of 64 KB of %j made to be slow is cleaned all the same',
    (piece) => {
      expect(dropSecrets(piece.repeat(Math.ceil(65_536 / piece.length)))).toBeTypeOf('string');
    },
  );
});

/** `whole` shifted right by `scale` decimal places, by text alone. */
function decimalText(whole: number, scale: number): string {
  if (scale === 0) return String(whole);
  const padded = String(whole).padStart(scale + 1, '0');
  return `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}
