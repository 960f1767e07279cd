import type { App } from '@slack/bolt';
import type { ActionResult } from '../../domain/ports/run-commands.ts';
import { ANSWER_MODAL } from '../../presenter/action-ids.ts';
import { clarificationModal, readAnswer, readModalMetadata } from '../../presenter/clarification-modal.ts';
import { actionResultText } from '../../presenter/texts.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { noticeView } from './notice-view.ts';

/** Changed terms are shown at once, to be answered anew (contract C23). */
function resultView(result: ActionResult, { channelId, messageTs }: { channelId: string; messageTs: string }) {
  const notice = actionResultText(result);
  if (result.kind !== 'terms-changed') return noticeView(notice);
  return clarificationModal({ pause: result.pause, channelId, messageTs, notice });
}

/** The submitted answer to a clarification (contract C17). What cannot be taken is said in the modal. */
export function listenToAnswerModal(app: App, deps: ListenerDeps): void {
  app.view({ type: 'view_submission', callback_id: ANSWER_MODAL.callbackId }, async ({ ack, body, view }) => {
    const about = readModalMetadata(view.private_metadata);
    if (about === null) {
      return ack({ response_action: 'update', view: noticeView(actionResultText({ kind: 'unknown' })) });
    }
    const text = readAnswer(view.state).trim();
    if (text === '') {
      return ack({ response_action: 'errors', errors: { [ANSWER_MODAL.blockId]: 'Please type an answer.' } });
    }
    const { pauseId, termsDigest, channelId, messageTs } = about;
    const click = { actorId: body.user.id, channelId, messageTs };
    const result = await deps.commands.answer(pauseId, { text, termsDigest }, click);
    if (result.kind === 'accepted') return ack({ response_action: 'clear' });
    return ack({ response_action: 'update', view: resultView(result, click) });
  });
}
