import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import type { PauseOf } from '../../domain/pause.ts';
import { ANSWER_MODAL } from '../action-ids.ts';
import { plain, section, weightedBytes } from '../blocks.ts';
import { fitBlocks } from '../fit-blocks.ts';
import { LIMITS } from '../limits.ts';
import { type ModalMetadata, submitModal } from '../modals.ts';
import { typedText } from '../view-state.ts';
import { questionSections } from './question.ts';

const CUT = '_The question goes on for longer than a Slack window can hold. It stands in full on its card._';

type AnswerModal = {
  pause: PauseOf<'clarification'>;
  channelId: string;
  messageTs: string | null;
  /** Said above the question; our own mrkdwn. */
  notice?: string;
};

/** The modal that asks for an answer in words: the question in full and one text field of up to 3,000 characters. */
export function clarificationModal({ pause, channelId, messageTs, notice }: AnswerModal): ModalView {
  const metadata: ModalMetadata = { pauseId: pause.id, termsDigest: pause.termsDigest, channelId, messageTs };
  const above = notice === undefined ? [] : [section(notice)];
  const input = answerInput();
  return submitModal({
    callbackId: ANSWER_MODAL.callbackId,
    title: 'Answer the planner',
    submit: 'Send answer',
    metadata,
    blocks: [...above, ...fittingQuestion(pause, [...above, input]), input],
  });
}

/** Slack counts bytes, and a question in Chinese has three to a character. */
function fittingQuestion({ request }: PauseOf<'clarification'>, others: readonly KnownBlock[]): KnownBlock[] {
  const room = {
    blocks: LIMITS.modal.blocks - others.length - 1,
    bytes: LIMITS.modal.contentBytes - weightedBytes(others),
  };
  const { kept, isCut } = fitBlocks(questionSections(request), room);
  return isCut ? [...kept, section(CUT)] : kept;
}

function answerInput(): InputBlock {
  return {
    type: 'input',
    block_id: ANSWER_MODAL.blockId,
    label: plain('Your answer', LIMITS.input.label),
    element: {
      type: 'plain_text_input',
      action_id: ANSWER_MODAL.inputId,
      multiline: true,
      max_length: LIMITS.input.value,
    },
  };
}

/** The text typed into `clarificationModal`, trimmed, from its `view.state`; empty without any. */
export function readAnswer(state: unknown): string {
  return typedText(state, { blockId: ANSWER_MODAL.blockId, inputId: ANSWER_MODAL.inputId });
}
