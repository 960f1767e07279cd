import type { ModalView } from '@slack/types';
import type { Pause } from '../domain/pause.ts';
import { ANSWER_MODAL } from './action-ids.ts';
import { plain, section } from './blocks.ts';
import { LIMITS } from './limits.ts';
import { questionSections } from './question.ts';

/** What a modal remembers between opening and submission: what was shown, and where the button was pressed. */
export type ModalMetadata = { pauseId: string; termsDigest: string; channelId: string; messageTs: string };

type AnswerModal = {
  pause: Pause;
  channelId: string;
  messageTs: string;
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

/** Reads `private_metadata` back; null when it is not ours. */
export function readModalMetadata(text: string): ModalMetadata | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const [pauseId, termsDigest, channelId, messageTs] = ['pauseId', 'termsDigest', 'channelId', 'messageTs'].map((key) =>
    stringAt(value, key),
  );
  if (!pauseId || !termsDigest || !channelId || messageTs === undefined) return null;
  return { pauseId, termsDigest, channelId, messageTs };
}

/** The text typed into the modal, trimmed, from a submission's `view.state`; empty when it holds none. */
export function readAnswer(state: unknown): string {
  const input = at(at(at(state, 'values'), ANSWER_MODAL.blockId), ANSWER_MODAL.inputId);
  return stringAt(input, 'value')?.trim() ?? '';
}

function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function stringAt(value: unknown, key: string): string | undefined {
  const found = at(value, key);
  return typeof found === 'string' ? found : undefined;
}
