import { isPauseOf } from '../../domain/pause.ts';
import { CARD_WORDS_MODAL } from '../../presenter/interaction/interaction-ids.ts';
import { interactionModal, readWords } from '../../presenter/interaction/interaction-modal.ts';
import { readInteractionSubmission } from '../../presenter/interaction/interaction-submission.ts';
import { emptyAnswerText } from '../../presenter/texts.ts';
import { metadataOf } from '../metadata-of.ts';
import { type ReadSubmission, showErrors, showResult } from './submission.ts';

/** A filled-in card, read against the card as it is stored now. */
export const readCardModal: ReadSubmission = async (commands, submission) => {
  const { about, click, state, metadataText } = submission;
  const opened = await commands.openPause(about.pauseId, click);
  if (opened.kind !== 'open') return showResult(opened);
  const { pause } = opened;
  if (!isPauseOf(pause, 'card')) return showResult({ kind: 'unknown' });
  const { termsDigest } = about;
  if (pause.termsDigest !== termsDigest) {
    // Not read at all: it was filled in for another card. The refusal is written down where it is made.
    const nothing = { choiceIndex: null, selection: {}, termsDigest };
    return { kind: 'decide', decide: () => commands.submitCard(about.pauseId, nothing, click) };
  }
  const { card } = pause.request;
  const reading = readInteractionSubmission({ state, private_metadata: metadataText }, card);
  if ('errors' in reading) {
    const anew = () => interactionModal({ ...metadataOf(pause, about), card, choiceIndex: null });
    return showErrors(submission, { errors: reading.errors, anew });
  }
  const submitted = { ...reading, termsDigest };
  return { kind: 'decide', decide: () => commands.submitCard(about.pauseId, submitted, click) };
};

/** A card answered in words. */
export const readWordsModal: ReadSubmission = async (commands, { about, click, state }) => {
  const text = readWords(state);
  if (text === null) return { kind: 'errors', errors: { [CARD_WORDS_MODAL.blockId]: emptyAnswerText() } };
  const { pauseId, termsDigest } = about;
  return { kind: 'decide', decide: () => commands.answer(pauseId, { text, termsDigest }, click) };
};
