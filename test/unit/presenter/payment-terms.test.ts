import { expect, it } from 'vitest';
import { addressText } from '../../../src/presenter/payment/payment-terms.ts';

const A = `agent1qaaaaa${'x'.repeat(45)}bbbbbbbb`;
const B = `agent1qccccc${'x'.repeat(45)}dddddddd`;

it('a short address shows the ends of the payee and of whoever asks for it', () => {
  expect(addressText(A, 'short')).toBe('agent1qaaaaa…bbbbbbbb');
  expect(addressText(`${A} (asked for by ${B})`, 'short')).toBe(
    'agent1qaaaaa…bbbbbbbb (asked for by agent1qccccc…dddddddd)',
  );
  expect(addressText('0x12', 'short')).toBe('0x12');
});
