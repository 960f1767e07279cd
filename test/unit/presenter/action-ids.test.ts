import { describe, expect, it } from 'vitest';
import { ACTION_IDS, isKnownAction, optionActionId } from '../../../src/presenter/action-ids.ts';
import { CARD_ACTIONS, cardChoiceActionId } from '../../../src/presenter/interaction/interaction-ids.ts';
import { PAYMENT_ACTIONS, paymentLinkActionId } from '../../../src/presenter/payment/payment-ids.ts';

describe('an action id', () => {
  it.each([
    ...Object.values(ACTION_IDS),
    ...Object.values(PAYMENT_ACTIONS),
    ...Object.values(CARD_ACTIONS),
    optionActionId(0),
    cardChoiceActionId(24),
    paymentLinkActionId(4),
  ])('of ours is known: %s', (actionId) => {
    expect(isKnownAction(actionId)).toBe(true);
  });

  it.each(['', 'answer_option_', 'answer_option_x', 'xpayment_link_1', 'card_choice_1x', 'toString', 'old_button'])(
    'of nobody is not: %j',
    (actionId) => {
      expect(isKnownAction(actionId)).toBe(false);
    },
  );
});
