import type { types } from '@slack/bolt';
import { isPauseOf, type Pause } from '../../domain/pause.ts';
import type { ActionResult } from '../../domain/ports/run-commands.ts';
import { clarificationModal } from '../../presenter/clarification/clarification-modal.ts';
import { interactionModal } from '../../presenter/interaction/interaction-modal.ts';
import { LIMITS } from '../../presenter/limits.ts';
import { type ModalMetadata, noticeModal } from '../../presenter/modals.ts';
import { termsChangedModal } from '../../presenter/payment/payment-modal.ts';
import { actionResultText } from '../../presenter/texts.ts';
import { metadataOf } from '../metadata-of.ts';

/** What a decision came to, shown where it was made. Changed terms are shown at once (contract C23). */
export function resultView(result: ActionResult, about: ModalMetadata): types.ModalView {
  if (result.kind === 'terms-changed') return changedView(result.pause, about);
  return noticeModal(actionResultText(result));
}

/** The pause as it is now, for a modal that showed it as it was. A payment has to be opened anew from its card. */
function changedView(pause: Pause, about: ModalMetadata): types.ModalView {
  const { channelId, messageTs } = about;
  const notice = actionResultText({ kind: 'terms-changed', pause });
  if (isPauseOf(pause, 'payment')) return termsChangedModal({ terms: pause.request.terms });
  if (isPauseOf(pause, 'card')) {
    const { card } = pause.request;
    return withNotice(interactionModal({ ...metadataOf(pause, about), card, choiceIndex: null }), notice);
  }
  if (isPauseOf(pause, 'clarification')) return clarificationModal({ pause, channelId, messageTs, notice });
  return noticeModal(notice);
}

/** Above all else. A window that is full already keeps what it shows: Slack would refuse one block more. */
function withNotice(view: types.ModalView, notice: string): types.ModalView {
  if (view.blocks.length >= LIMITS.modal.blocks) return view;
  return { ...view, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: notice } }, ...view.blocks] };
}
