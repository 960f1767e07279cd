import type { Pause } from '../domain/pause.ts';
import type { LedgerEntry } from '../domain/payment.ts';
import type { Run } from '../domain/run.ts';
import { stoppedWords } from './card-run.ts';
import { namesOf } from './decided-words.ts';
import { pauseWords } from './pause-words.ts';
import { atTime, slackTime } from './text/time-text.ts';
import { mention } from './text/words.ts';

const CARD_ABOVE = 'The card is above in this thread.';

/**
 * Says in the thread that a pause still waits: for what, until when, and who may decide (`approversText`, our own
 * mrkdwn).
 */
export function reminderText({ pause, run, approversText }: { pause: Pause; run: Run; approversText: string }): string {
  const who =
    pause.request.kind === 'payment'
      ? `Who may decide: ${approversText}.`
      : `It waits for ${mention(run.requesterId)}.`;
  return `*Still waiting until ${slackTime(pause.deadlineAt)}:* ${pauseWords(pause)}\n${who} ${CARD_ABOVE}`;
}

/**
 * What a reminder says once its pause is over: how that came about, what it was about, and that nothing waits any more.
 * `entry` is a payment's, null for the other kinds.
 */
export function reminderOverText(over: {
  pause: Pause;
  run: Pick<Run, 'stopRequestedBy'>;
  entry: LedgerEntry | null;
}): string {
  return `*No longer waiting:* ${pauseWords(over.pause)}\n${endWords(over)} ${CARD_ABOVE}`;
}

function endWords({ pause, run, entry }: Parameters<typeof reminderOverText>[0]): string {
  const isPayment = pause.request.kind === 'payment';
  if (pause.state === 'cancelled') return `${stoppedWords(run)}.`;
  if (pause.state === 'expired')
    return `Nobody ${isPayment ? 'decided' : 'answered'} by ${slackTime(pause.deadlineAt)}.`;
  return `${namesOf(pause, entry?.approverIds ?? [])} ${didWord(pause)}${atTime(pause.decidedAt)}.`;
}

function didWord({ decision }: Pause): string {
  if (decision?.kind === 'payment') return decision.verdict === 'approve' ? 'approved it' : 'declined it';
  return decision?.kind === 'card' && decision.isCancelled ? 'cancelled it' : 'answered';
}
