import type { KnownBlock, ModalView } from '@slack/types';
import type { PaymentTerms } from '../../domain/payment.ts';
import { context, plain, section } from '../blocks.ts';
import { chooser, type Entry } from '../chooser.ts';
import { LIMITS } from '../limits.ts';
import { type ModalMetadata, readingModal, submitModal } from '../modals.ts';
import { typedText } from '../view-state.ts';
import { DECLINE_MODAL, PAYMENT_MODAL } from './payment-ids.ts';
import { amountText, MODAL_TERMS, optionText, termsBlocks } from './payment-terms.ts';
import { HONEST_TEXT } from './payment-view.ts';
import { spentBlocks } from './spent-blocks.ts';

const REASON_MAX = 1_000;

type Opened = ModalMetadata & { terms: PaymentTerms };
/** `spentLines`: what was approved today against the caps, in plain lines. */
type Approving = Opened & { mustRetype: boolean; spentLines: readonly string[] };

/**
 * The modal whose submission, and nothing else, approves a payment (contract C18): the terms again with the address in
 * full, a choice where there is more than one option, and the amount to type again where `mustRetype`.
 */
export function paymentModal({ terms, mustRetype, spentLines, ...metadata }: Approving): ModalView {
  return submitModal({
    callbackId: PAYMENT_MODAL.callbackId,
    title: 'Approve a payment',
    submit: submitLabel(terms),
    metadata,
    blocks: [
      ...fullTerms(terms),
      ...spentBlocks(spentLines),
      context(HONEST_TEXT),
      ...(terms.options.length > 1 ? [optionInput(terms)] : []),
      ...(mustRetype ? [amountInput()] : []),
    ],
  });
}

function fullTerms(terms: PaymentTerms): KnownBlock[] {
  return termsBlocks(terms, MODAL_TERMS);
}

/** Names the amount where all of it fits: a cut amount would be another amount. */
function submitLabel({ options }: PaymentTerms): string {
  const [only] = options;
  const words = only && options.length === 1 ? `Approve ${amountText(only)}` : 'Approve';
  return words.length <= LIMITS.modal.button ? words : 'Approve';
}

function optionInput({ options }: PaymentTerms): KnownBlock {
  const entries = options.slice(0, MODAL_TERMS.maxOptions).map((option, index): Entry => {
    return { text: `${index + 1}. ${optionText(option)}`, detail: null };
  });
  return {
    type: 'input',
    block_id: PAYMENT_MODAL.optionBlockId,
    label: plain('Pay which way?', LIMITS.input.label),
    element: chooser({ actionId: PAYMENT_MODAL.optionInputId, entries, isMulti: false, isRequired: true }),
  };
}

function amountInput(): KnownBlock {
  return {
    type: 'input',
    block_id: PAYMENT_MODAL.amountBlockId,
    label: plain('Type the amount again', LIMITS.input.label),
    hint: plain('The number as it is shown above, with or without the currency.', LIMITS.input.hint),
    element: { type: 'plain_text_input', action_id: PAYMENT_MODAL.amountInputId, max_length: 200 },
  };
}

/** The modal that declines a payment, with a reason if there is one to give. */
export function declineModal({ terms, ...metadata }: Opened): ModalView {
  return submitModal({
    callbackId: DECLINE_MODAL.callbackId,
    title: 'Decline a payment',
    submit: 'Decline',
    metadata,
    blocks: [
      ...fullTerms(terms),
      {
        type: 'input',
        block_id: DECLINE_MODAL.blockId,
        optional: true,
        label: plain('Reason', LIMITS.input.label),
        hint: plain('The planner and this thread see it.', LIMITS.input.hint),
        element: {
          type: 'plain_text_input',
          action_id: DECLINE_MODAL.inputId,
          multiline: true,
          max_length: REASON_MAX,
        },
      },
    ],
  });
}

/** The reason given in `declineModal`, from its `view.state`; null without any. */
export function readDeclineReason(state: unknown): string | null {
  const reason = typedText(state, { blockId: DECLINE_MODAL.blockId, inputId: DECLINE_MODAL.inputId });
  return reason === '' ? null : reason;
}

/** Said when the terms changed between display and submission (contract C23): nothing was done, and the new terms. */
export function termsChangedModal({ terms }: { terms: PaymentTerms }): ModalView {
  const said =
    '*The terms have changed since you opened this window, so nothing was decided.* These are the terms now. Close this window and press the button on the card again.';
  return readingModal({ title: 'The terms have changed', blocks: [section(said), ...fullTerms(terms)] });
}
