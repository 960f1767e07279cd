import { expect, it } from 'vitest';
import { createPauseWatch } from '../../../../../src/planner/asi-one/pause/pause-watch.ts';

it('a payment that cannot be read is shown without the secrets in its text', () => {
  const watch = createPauseWatch();
  watch.seeStatus('payment_requested');
  watch.seeQuestion({ question: 'Confirm with client_secret=abc and pi_1_secret_xyz', options: [] });
  expect(watch.request('Pay with sk_live_123456789.')).toEqual({
    kind: 'clarification',
    question: 'Pay with [removed].\n\nConfirm with [removed] and [removed]',
    options: [],
    unread: 'payment',
  });
});

it('a card that cannot be read offers its options without their secrets', () => {
  const watch = createPauseWatch();
  watch.seeStatus('card_interaction_requested');
  watch.seeQuestion({ question: 'Which key?', options: ['Mine', 'sk_live_123456789'] });
  expect(watch.request('')).toMatchObject({ unread: 'card', options: ['Mine', '[removed]'] });
});
