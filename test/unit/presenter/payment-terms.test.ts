import { expect, it } from 'vitest';
import { addressText } from '../../../src/presenter/payment/payment-terms.ts';

it('a short address shows the ends of a long one', () => {
  expect(addressText(`agent1qaaaaa${'x'.repeat(45)}bbbbbbbb`, 'short')).toBe('agent1qaaaaa…bbbbbbbb');
  expect(addressText('0x12', 'short')).toBe('0x12');
});
