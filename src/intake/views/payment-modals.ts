import type { ActionResult } from '../../domain/ports/run-commands.ts';
import { sameAmount } from '../../policy/money.ts';
import { paymentModal, readDeclineReason } from '../../presenter/payment/payment-modal.ts';
import { readPaymentSubmission } from '../../presenter/payment/payment-submission.ts';
import { metadataOf } from '../metadata-of.ts';
import { type ReadSubmission, showErrors, showResult } from './submission.ts';

/**
 * An approval, read against the payment as it is stored now: nothing that is not clear, complete and about the terms
 * shown is ever one (contract C18, C23).
 */
export const readPaymentModal: ReadSubmission = async (commands, submission) => {
  const { about, click, state } = submission;
  const opened = await commands.viewPayment(about.pauseId, click);
  if (opened.kind !== 'open') return showResult(opened);
  const { pause, mustRetype, spentLines } = opened;
  const { terms } = pause.request;
  const approve = (optionIndex: number) => (): Promise<ActionResult> =>
    commands.approve(about.pauseId, { optionIndex, termsDigest: about.termsDigest }, click);
  // Not read at all: what was chosen was chosen of other terms. The refusal is written down where it is made.
  if (pause.termsDigest !== about.termsDigest) return { kind: 'decide', decide: approve(0) };
  const reading = readPaymentSubmission(state, { terms, mustRetype, sameAmount });
  if ('errors' in reading) {
    const anew = () => paymentModal({ ...metadataOf(pause, about), terms, mustRetype, spentLines });
    return showErrors(submission, { errors: reading.errors, anew });
  }
  return { kind: 'decide', decide: approve(reading.optionIndex) };
};

/** A refusal; it needs no reason. */
export const readDeclineModal: ReadSubmission = async (commands, { about, click, state }) => {
  const refusal = { reason: readDeclineReason(state), termsDigest: about.termsDigest };
  return { kind: 'decide', decide: () => commands.decline(about.pauseId, refusal, click) };
};
