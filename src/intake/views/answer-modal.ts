import type { App } from '@slack/bolt';
import type { ActionResult, ClickContext } from '../../domain/ports/run-commands.ts';
import { ANSWER_MODAL } from '../../presenter/action-ids.ts';
import { clarificationModal, noticeModal } from '../../presenter/modals.ts';
import { actionResultText, emptyAnswerText } from '../../presenter/texts.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { readAnswer, readModalMetadata } from './read-modal.ts';

/** Changed terms are shown at once, to be answered anew (contract C23). */
function resultView(result: ActionResult, { channelId, messageTs }: ClickContext) {
  const notice = actionResultText(result);
  if (result.kind !== 'terms-changed') return noticeModal(notice);
  return clarificationModal({ pause: result.pause, channelId, messageTs, notice });
}

/** The submitted answer to a clarification (contract C17). What cannot be taken is said in the modal. */
export function listenToAnswerModal(app: App, deps: ListenerDeps): void {
  app.view({ type: 'view_submission', callback_id: ANSWER_MODAL.callbackId }, async ({ ack, body, view }) => {
    const about = readModalMetadata(view.private_metadata);
    if (about === null) {
      return ack({ response_action: 'update', view: noticeModal(actionResultText({ kind: 'unknown' })) });
    }
    const text = readAnswer(view.state);
    if (text === '') {
      return ack({ response_action: 'errors', errors: { [ANSWER_MODAL.blockId]: emptyAnswerText() } });
    }
    const { pauseId, termsDigest, channelId, messageTs } = about;
    const click = { actorId: body.user.id, channelId, messageTs };
    const result = await deps.commands.answer(pauseId, { text, termsDigest }, click);
    if (result.kind === 'accepted') return ack({ response_action: 'clear' });
    return ack({ response_action: 'update', view: resultView(result, click) });
  });
}
