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
 * Says in the thread that a pause still waits: for what, until when, and who may decide. `approversText` is our own
 * mrkdwn, null for a pause that is no payment: its requester answers.
 */
export function reminderText(waiting: { pause: Pause; run: Run; approversText: string | null }): string {
  const { pause, run, approversText } = waiting;
  const who =
    approversText === null ? `It waits for ${mention(run.requesterId)}.` : `Who may decide: ${approversText}.`;
  return `*Still waiting until ${slackTime(pause.deadlineAt)}:* ${pauseWords(pause)}\n${who} ${CARD_ABOVE}`;
}

/** A pause that is over. `entry` is a payment's, null for the other kinds. */
type EndedPause = { pause: Pause; run: Pick<Run, 'stopRequestedBy'>; entry: LedgerEntry | null };

/** What a reminder says once its pause is over: that nothing waits any more, for what it did, and what came of it. */
export function reminderOverText(ended: EndedPause): string {
  return `*No longer waiting:* ${pauseWords(ended.pause)}\n${endWords(ended)} ${CARD_ABOVE}`;
}

function endWords({ pause, run, entry }: EndedPause): string {
  if (pause.state === 'cancelled') return `${stoppedWords(run)}.`;
  if (pause.state === 'expired') {
    const verb = pause.request.kind === 'payment' ? 'decided' : 'answered';
    return `Nobody ${verb} by ${slackTime(pause.deadlineAt)}.`;
  }
  return `${namesOf(pause, entry?.approverIds ?? [])} ${decisionWords(pause)}${atTime(pause.decidedAt)}.`;
}

function decisionWords({ decision }: Pause): string {
  if (decision?.kind === 'payment') return decision.verdict === 'approve' ? 'approved it' : 'declined it';
  return decision?.kind === 'card' && decision.isCancelled ? 'cancelled it' : 'answered';
}
