import { ANSWER_MODAL } from '../../presenter/action-ids.ts';
import { readAnswer } from '../../presenter/clarification/clarification-modal.ts';
import { emptyAnswerText } from '../../presenter/texts.ts';
import type { ReadSubmission } from './submission.ts';

/** The answer to a clarification (contract C17). */
export const readAnswerModal: ReadSubmission = async (commands, { about, click, state }) => {
  const text = readAnswer(state);
  if (text === '') return { kind: 'errors', errors: { [ANSWER_MODAL.blockId]: emptyAnswerText() } };
  const { pauseId, termsDigest } = about;
  return { kind: 'decide', decide: () => commands.answer(pauseId, { text, termsDigest }, click) };
};
