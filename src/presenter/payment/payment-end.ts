import type { KnownBlock } from '@slack/types';
import type { LedgerState } from '../../domain/payment.ts';
import { ACTION_IDS } from '../action-ids.ts';
import { actions, button, section } from '../blocks.ts';
import { escapeWithin } from '../text/escape.ts';
import { optionsText, optionText, payeeText } from './payment-terms.ts';
import type { PaymentCardView } from './payment-view.ts';
import { quoteSections } from '../quote.ts';
import { mention } from '../text/words.ts';
import { slackTime, utcTime } from '../text/time-text.ts';

/** What a closed card says above and below the terms; `text` is its summary. */
export type PaymentEnd = { text: string; head: KnownBlock[]; tail: KnownBlock[] };

const WHAT = 600;
const REASON_SECTIONS = 3;

/** Who approved or declined what and when, and how far the planner has heard of it (contract C21). */
export function decidedPayment(view: PaymentCardView): PaymentEnd {
  return view.pause.decision?.verdict === 'approve' ? approvedPayment(view) : declinedPayment(view);
}

function approvedPayment(view: PaymentCardView): PaymentEnd {
  const { terms, pause } = view;
  const option = terms.options[pause.decision?.optionIndex ?? 0];
  const words = option ? optionText(option) : optionsText(terms.options, 3);
  const what = escapeWithin(`${words} to ${payeeText(terms)}`, WHAT);
  const who = approverNames(view);
  const after = afterApproval(view.ledgerState);
  return {
    text: `${who} approved ${what}. ${after.join(' ')}`,
    head: [section([`*${who} approved${when(pause.decidedAt)}:*`, what, ...after].join('\n'))],
    tail: [],
  };
}

function approverNames({ approvals, pause }: PaymentCardView): string {
  const ids = approvals.length > 0 ? approvals : pause.decidedBy ? [pause.decidedBy] : [];
  return ids.length === 0 ? 'Someone' : ids.map(mention).join(' and ');
}

/** How far an approval has come, as sentences (contract C29: what is not known is said to be so). */
function afterApproval(state: LedgerState): string[] {
  switch (state) {
    case 'sent':
      return ['The planner has been told. I moved no money myself.'];
    case 'settled':
      return ['The planner has been told, and its plan went on. I moved no money myself.'];
    case 'unknown':
      return [
        ':warning: It is not known whether the planner heard of the approval, or whether anything was paid.',
        'Nothing goes on by itself. Ask the payee or look at the account first; then decide at the status message.',
      ];
    default:
      return ['The planner is told next. I move no money myself.'];
  }
}

function declinedPayment({ terms, pause }: PaymentCardView): PaymentEnd {
  const what = escapeWithin(`${optionsText(terms.options, 3)} to ${payeeText(terms)}`, WHAT);
  const who = pause.decidedBy ? mention(pause.decidedBy) : 'The policy';
  const reason = pause.decision?.reason?.trim() ? quoteSections(pause.decision.reason, REASON_SECTIONS) : [];
  return {
    text: `${who} declined ${what}.`,
    head: [
      section(
        `*${who} declined${when(pause.decidedAt)}.* Nothing was approved.${reason.length > 0 ? ' The reason:' : ''}`,
      ),
      ...reason,
    ],
    tail: [],
  };
}

/** Contract C24: nobody is told that a person refused. */
export function expiredPayment({ pause, run, approvals }: PaymentCardView): PaymentEnd {
  const partly = partialApproval(approvals);
  const startOver = button({ actionId: ACTION_IDS.startOverRun, label: 'Start over', value: run.id });
  return {
    text: `No decision by ${utcTime(pause.deadlineAt)}, so the payment was not approved and the run has ended.`,
    head: [
      section(
        `*No decision by ${slackTime(pause.deadlineAt)}*, so nothing was approved and the run has ended. Nobody was told that you refused.${partly}`,
      ),
    ],
    tail: run.choice ? [] : [actions([startOver])],
  };
}

export function cancelledPayment({ run, approvals }: PaymentCardView): PaymentEnd {
  const by = run.stopRequestedBy ? ` by ${mention(run.stopRequestedBy)}` : '';
  const text = `The run was stopped${by}, so this payment needs no decision any more. Nothing was approved.`;
  return { text, head: [section(`${text}${partialApproval(approvals)}`)], tail: [] };
}

function partialApproval(approvals: readonly string[]): string {
  if (approvals.length === 0) return '';
  return ` One of two approvals had been given, by ${approvals.map(mention).join(', ')}; the planner never heard of it.`;
}

/** With its space before it, or nothing. */
function when(at: Date | null): string {
  return at ? ` at ${slackTime(at)}` : '';
}
