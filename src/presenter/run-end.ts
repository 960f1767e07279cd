import type { KnownBlock } from '@slack/types';
import type { Pause, PauseKind } from '../domain/pause.ts';
import type { LedgerEntry } from '../domain/payment.ts';
import { isLive, isResumable, type Run } from '../domain/run.ts';
import { section } from './blocks.ts';
import { failureAdvice, failureText } from './failure-text.ts';
import { givenAnswers } from './given-answers.ts';
import { approvedLines, halfApprovedLines, isApproved } from './payment/payment-record.ts';
import { choiceWords, progressWords } from './run-words.ts';
import { escapeWithin } from './text/escape.ts';
import { label } from './text/label.ts';
import { slackTime } from './text/time-text.ts';
import { countOf, mention } from './text/words.ts';

const ANSWERS_SHOWN = 3;
const ANSWER = 150;
const EXCERPT = 2_500;
/** Leaves room for the payments. */
const SHORT_EXCERPT = 800;
const PAYMENTS_SHOWN = 4;

/** What had not come in time, by the kind of pause. */
const MISSED: Record<PauseKind, string> = {
  clarification: "no answer to the planner's question",
  payment: 'no decision on the payment',
  card: "no answer to the planner's card",
};

/** `pause` is the run's newest, `payments` are its ledger entries in their order. */
export type EndView = { run: Run; pause: Pause | null; payments: readonly LedgerEntry[] };

/**
 * What a status message says about a run that is over and has no answer: why, what had been approved (contract C29,
 * C32), and what had arrived; nothing for any other run.
 */
export function endSections({ run, pause, payments }: EndView): KnownBlock[] {
  if (isLive(run.state) || run.state === 'completed') return [];
  const paid = paymentLines(payments);
  const lines = [
    endSentence(run, pause),
    answersSoFar({ run, pause, payments }),
    run.choice && choiceWords(run.choice),
  ];
  return [
    section(lines.filter(Boolean).join('\n')),
    ...(paid.length === 0 ? [] : [section(paid.join('\n'))]),
    ...partialAnswer(run.answer, paid.length === 0 ? EXCERPT : SHORT_EXCERPT),
  ];
}

function paymentLines(payments: readonly LedgerEntry[]): string[] {
  const approved = approvedLines(payments, PAYMENTS_SHOWN);
  const half = halfApprovedLines(payments).slice(-1);
  if (approved.length === 0) return half;
  return ['*Approved so far* (I moved no money myself):', ...approved, ...half];
}

function endSentence(run: Run, pause: Pause | null): string {
  if (run.state === 'stopped') {
    const verb = run.choice?.action === 'close' ? 'Closed' : 'Stopped';
    const by = run.stopRequestedBy ? ` by ${mention(run.stopRequestedBy)}` : '';
    return `${verb}${by}. ${progressWords(run.plan) ?? 'No task'} had been done.`;
  }
  if (run.state === 'expired') {
    const when = pause ? ` by ${slackTime(pause.deadlineAt)}` : '';
    return `There was ${MISSED[pause?.request.kind ?? 'clarification']}${when}, so the run ended.`;
  }
  const failed = failureText(run.failure, run.id);
  // Once somebody has chosen what to do, advice would only confuse.
  if (run.choice) return failed;
  const goesOn = run.state === 'failed' && isResumable(run) ? ' *Resume* goes on with the answers given so far.' : '';
  return `${failed}\n${failureAdvice(run.failure)}${goesOn}`;
}

/** What people answered before the end, which the planner may already have acted on; and whether nothing was approved. */
function answersSoFar({ run, pause, payments }: EndView): string {
  const answers = givenAnswers(run.turns);
  const isNothingApproved = !payments.some(isApproved);
  if (answers.length === 0) return isNothingApproved ? 'Nothing had been approved or paid.' : '';
  const shown = answers
    .slice(-ANSWERS_SHOWN)
    .map((answer) => `“${escapeWithin(label(answer, ANSWER) ?? '…', ANSWER * 2)}”`);
  const earlier = answers.length > shown.length ? `, after ${answers.length - shown.length} earlier` : '';
  const isNewest = pause?.state === 'decided' && pause.request.kind !== 'payment';
  const by = isNewest && pause.decidedBy ? ` (the last by ${mention(pause.decidedBy)})` : '';
  const given = `${countOf(answers.length, 'answer')} had been given: ${shown.join(', ')}${earlier}${by}.`;
  return isNothingApproved ? `Nothing had been paid. ${given}` : given;
}

function partialAnswer(answer: string, max: number): KnownBlock[] {
  const start = answer.trim().slice(0, max * 2);
  if (label(start, max) === null) return [];
  const shown = escapeWithin(start.replaceAll('[object Object]', '…'), max);
  return [section(`*Partial, not an answer:*\n${shown}`)];
}
