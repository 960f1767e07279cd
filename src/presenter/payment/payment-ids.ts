/** `action_id`s of a payment card's buttons; their value is the pause's id and nothing else. */
export const PAYMENT_ACTIONS = { approve: 'payment_approve', decline: 'payment_decline' } as const;

/** Matches the `action_id` of a link button. Slack reports its press too, and it decides nothing. */
export const PAYMENT_LINK_PATTERN = /^payment_link_\d{1,3}$/;

export function paymentLinkActionId(index: number): string {
  return `payment_link_${index}`;
}

/** Ids of the approval modal and its inputs. */
export const PAYMENT_MODAL = {
  callbackId: 'payment_modal',
  optionBlockId: 'payment_option',
  optionInputId: 'payment_option_input',
  amountBlockId: 'payment_amount',
  amountInputId: 'payment_amount_input',
} as const;

/** Ids of the modal that asks for the reason of a refusal. */
export const DECLINE_MODAL = {
  callbackId: 'payment_decline_modal',
  blockId: 'decline_reason',
  inputId: 'decline_reason_input',
} as const;
