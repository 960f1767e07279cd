import type { KnownBlock } from '@slack/types';
import type { LedgerEntry } from '../../domain/payment.ts';
import { isLive, isResumable } from '../../domain/run.ts';
import { section } from '../blocks.ts';
import { brokenWords, type CardRun, startOverBlocks, stoppedWords } from '../card-run.ts';
import { namesOf } from '../decided-words.ts';
import { quoteSections } from '../quote.ts';
import { escapeWithin } from '../text/escape.ts';
import { atTime, slackTime, utcTime } from '../text/time-text.ts';
import { mention } from '../text/words.ts';
import { optionsText, optionText, payeeText } from './payment-terms.ts';
import type { PaymentCardView } from './payment-view.ts';

/** What a closed card says above and below the terms; `text` is its summary. */
export type PaymentEnd = { text: string; head: KnownBlock[]; tail: KnownBlock[] };

const WHAT = 600;
const REASON_SECTIONS = 3;
const RESUME_TELLS = '*Resume* on the status message tells the planner of the approval, if the policy still allows it.';
const RESUME_REPEATS = '*Resume* on the status message lets the planner go on, and it may take up the payment again.';

/** Who approved or declined what and when, and how far the planner has heard of it (contract C21). */
export function decidedPayment(view: PaymentCardView): PaymentEnd {
  const { decision } = view.pause;
  return decision?.kind === 'payment' && decision.verdict === 'approve'
    ? approvedPayment(view, decision.optionIndex)
    : declinedPayment(view);
}

function approvedPayment(view: PaymentCardView, optionIndex: number | null): PaymentEnd {
  const { pause, run, entry } = view;
  const { terms } = pause.request;
  const option = terms.options[optionIndex ?? entry.optionIndex ?? 0];
  const words = option ? optionText(option) : optionsText(terms.options, 3);
  const what = escapeWithin(`${words} to ${payeeText(terms)}`, WHAT);
  const who = namesOf(pause, entry.approverIds);
  const after = afterApproval(entry, run);
  const broken = brokenWords(run, entry.sentAt === null ? RESUME_TELLS : RESUME_REPEATS);
  return {
    text: `${who} approved ${what}. ${after.join(' ')}`,
    head: [section([`*${who} approved${atTime(pause.decidedAt)}:*`, what, ...after].join('\n'))],
    tail: broken === null ? [] : [section(broken)],
  };
}

/** How far an approval has come, as sentences (contract C29: what is not known is said to be so). */
function afterApproval(entry: LedgerEntry, run: CardRun): string[] {
  switch (entry.state) {
    case 'sent':
      return ['The planner has been told. I moved no money myself.'];
    case 'settled':
      return ['The planner has been told, and its plan went on. I moved no money myself.'];
    case 'unknown':
      return [...unknownWords(entry), ...sinceWords(run)];
    default:
      return ['The planner is told next. I move no money myself.'];
  }
}

function unknownWords({ sentAt }: LedgerEntry): string[] {
  if (sentAt === null) return ['The run ended before the planner was told of the approval.'];
  return [
    ':warning: It is not known whether the planner heard of the approval, or whether anything was paid.',
    'I cannot find out: ask the payee or look at the account.',
  ];
}

/** What became of the run since, which never goes on by itself after such an end. */
function sinceWords(run: CardRun): string[] {
  if (isLive(run.state)) return ['Someone has let the run go on since.'];
  if (run.state === 'completed') return ['Someone has let the run go on since, and it is done.'];
  return run.choice === null && isResumable(run) ? ['Nothing goes on by itself: decide at the status message.'] : [];
}

function declinedPayment({ pause, run }: PaymentCardView): PaymentEnd {
  const { terms } = pause.request;
  const what = escapeWithin(`${optionsText(terms.options, 3)} to ${payeeText(terms)}`, WHAT);
  const who = pause.decidedBy ? mention(pause.decidedBy) : 'The policy';
  const given = pause.decision?.kind === 'payment' ? (pause.decision.reason?.trim() ?? '') : '';
  const reason = given === '' ? [] : quoteSections(given, REASON_SECTIONS);
  const said = pause.decidedBy ? 'Nothing was approved.' : 'Nobody was asked, and nothing was approved.';
  const broken = brokenWords(run, '*Resume* on the status message goes on with the refusal.');
  return {
    text: `${who} declined ${what}.`,
    head: [
      section(`*${who} declined${atTime(pause.decidedAt)}.* ${said}${reason.length > 0 ? ' The reason:' : ''}`),
      ...reason,
    ],
    tail: broken === null ? [] : [section(broken)],
  };
}

/** Contract C24: nobody is told that a person refused. */
export function expiredPayment({ pause, run, entry }: PaymentCardView): PaymentEnd {
  const said = 'so nothing was approved and the run has expired. The planner is not told that anybody refused.';
  return {
    text: `No decision by ${utcTime(pause.deadlineAt)}, so the payment was not approved and the run has expired.`,
    head: [section(`*No decision by ${slackTime(pause.deadlineAt)}*, ${said}${partialApproval(entry)}`)],
    tail: startOverBlocks(run),
  };
}

export function cancelledPayment({ run, entry }: PaymentCardView): PaymentEnd {
  const text = `${stoppedWords(run)}, so this payment needs no decision any more. Nothing was approved.`;
  return { text, head: [section(`${text}${partialApproval(entry)}`)], tail: [] };
}

function partialApproval({ approverIds }: LedgerEntry): string {
  if (approverIds.length === 0) return '';
  return ` One of two approvals had been given, by ${approverIds.map(mention).join(', ')}; the planner never heard of it.`;
}
