import type { ModalView } from '@slack/types';
import type { Pause } from '../domain/pause.ts';
import { ANSWER_MODAL } from './action-ids.ts';
import { plain, section } from './blocks.ts';
import { LIMITS } from './limits.ts';
import { questionSections } from './question.ts';

/**
 * What a modal remembers between opening and submission: what was shown, and where the button was pressed; `messageTs`
 * is null when Slack did not say.
 */
export type ModalMetadata = { pauseId: string; termsDigest: string; channelId: string; messageTs: string | null };

/** Reads a modal's `private_metadata` back; null when it is not ours. */
export function readModalMetadata(text: string): ModalMetadata | null {
  const value = parseObject(text);
  const { pauseId, termsDigest, channelId, messageTs } = value;
  if (typeof pauseId !== 'string' || typeof termsDigest !== 'string' || typeof channelId !== 'string') return null;
  return { pauseId, termsDigest, channelId, messageTs: typeof messageTs === 'string' ? messageTs : null };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

type AnswerModal = {
  pause: Pause;
  channelId: string;
  messageTs: string | null;
  /** Said above the question; our own mrkdwn. */
  notice?: string;
};

/** The modal that asks for an answer in words: the question in full and one text field of up to 3,000 characters. */
export function clarificationModal({ pause, channelId, messageTs, notice }: AnswerModal): ModalView {
  const metadata: ModalMetadata = { pauseId: pause.id, termsDigest: pause.termsDigest, channelId, messageTs };
  return {
    type: 'modal',
    callback_id: ANSWER_MODAL.callbackId,
    title: plain('Answer the planner', LIMITS.modal.title),
    submit: plain('Send answer', LIMITS.modal.button),
    close: plain('Not now', LIMITS.modal.button),
    private_metadata: JSON.stringify(metadata),
    blocks: [
      ...(notice === undefined ? [] : [section(notice)]),
      ...questionSections(pause.request),
      {
        type: 'input',
        block_id: ANSWER_MODAL.blockId,
        label: plain('Your answer', LIMITS.input.label),
        element: {
          type: 'plain_text_input',
          action_id: ANSWER_MODAL.inputId,
          multiline: true,
          max_length: LIMITS.input.value,
        },
      },
    ],
  };
}

/** Opened at once, because a trigger lives for 3 seconds; filled by an update. */
export function loadingModal(): ModalView {
  return {
    type: 'modal',
    title: plain('One moment', LIMITS.modal.title),
    close: plain('Close', LIMITS.modal.button),
    blocks: [section('Fetching the question…')],
  };
}

/** Only says something, and can be closed. Our own mrkdwn, at most 3,000 characters. */
export function noticeModal(text: string): ModalView {
  return {
    type: 'modal',
    title: plain('Steward', LIMITS.modal.title),
    close: plain('Close', LIMITS.modal.button),
    blocks: [section(text)],
  };
}
