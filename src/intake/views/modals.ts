import type { App, ViewSubmitAction } from '@slack/bolt';
import { ANSWER_MODAL } from '../../presenter/action-ids.ts';
import { CARD_MODAL, CARD_WORDS_MODAL } from '../../presenter/interaction/interaction-ids.ts';
import { DECLINE_MODAL, PAYMENT_MODAL } from '../../presenter/payment/payment-ids.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { readAnswerModal } from './answer-modal.ts';
import { readCardModal, readWordsModal } from './card-modals.ts';
import { onSubmit } from './on-submit.ts';
import { readDeclineModal, readPaymentModal } from './payment-modals.ts';
import type { ReadSubmission } from './submission.ts';

const READERS: ReadonlyMap<string, ReadSubmission> = new Map([
  [ANSWER_MODAL.callbackId, readAnswerModal],
  [PAYMENT_MODAL.callbackId, readPaymentModal],
  [DECLINE_MODAL.callbackId, readDeclineModal],
  [CARD_MODAL.callbackId, readCardModal],
  [CARD_WORDS_MODAL.callbackId, readWordsModal],
]);

/** Every submitted modal, those of older versions and of nobody too. A modal that is only closed decides nothing. */
export function listenToModals(app: App, deps: ListenerDeps): void {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: /.*/ },
    onSubmit(deps, (callbackId) => READERS.get(callbackId) ?? null),
  );
}
