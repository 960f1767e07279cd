import { assertNever } from '../../domain/assert-never.ts';
import type { LedgerEntry } from '../../domain/payment.ts';
import { escapeWithin } from '../text/escape.ts';
import { atTime } from '../text/time-text.ts';
import { mention } from '../text/words.ts';
import { amountText, optionsText, payeeText } from './payment-terms.ts';

const AMOUNT = 150;
const PAYEE = 80;
const OPTIONS = 3;

/** What a payment is about, in our own mrkdwn: `25 USD to Parcel Desk`; amounts exactly as received. */
export function paymentWords({ terms, optionIndex }: Pick<LedgerEntry, 'terms' | 'optionIndex'>): string {
  const option = optionIndex === null ? undefined : terms.options[optionIndex];
  const amount = option ? amountText(option) : optionsText(terms.options, OPTIONS);
  return `${escapeWithin(amount, AMOUNT)} to ${escapeWithin(payeeText(terms), PAYEE)}`;
}

/** Whether people have approved it in full. */
export function isApproved(entry: LedgerEntry): boolean {
  return entry.approvedAt !== null;
}

/**
 * Approved payments, one line each, the newest `max` of them: amount, payee, by whom, when and whether the planner was
 * told. Amounts are never summed. Our own mrkdwn.
 */
export function approvedLines(payments: readonly LedgerEntry[], max: number): string[] {
  const approved = payments.filter(isApproved);
  const earlier = approved.length - max;
  return [...(earlier > 0 ? [`…${earlier} earlier, and then:`] : []), ...approved.slice(-max).map(approvedLine)];
}

/** Payments for which one of two people had spoken when the run ended, as sentences of our own mrkdwn. */
export function halfApprovedLines(payments: readonly LedgerEntry[]): string[] {
  return payments
    .filter((entry) => !isApproved(entry) && entry.approverIds.length > 0)
    .map(
      (entry) =>
        `• ${paymentWords(entry)}: one of two approvals had been given, by ${approvers(entry)}. The planner never heard of it.`,
    );
}

function approvedLine(entry: LedgerEntry): string {
  return `• ${paymentWords(entry)}, approved by ${approvers(entry)}${atTime(entry.approvedAt)}: ${toldWords(entry)}`;
}

function approvers({ approverIds }: LedgerEntry): string {
  return approverIds.length === 0 ? 'someone' : approverIds.map(mention).join(' and ');
}

function toldWords(entry: LedgerEntry): string {
  switch (entry.state) {
    case 'settled':
      return 'the planner was told, and its plan went on.';
    case 'sent':
      return 'the planner was told; whether it was paid is not known.';
    case 'unknown':
      return entry.sentAt === null
        ? 'the planner was not told of it.'
        : 'it is not known whether the planner heard of it, or whether it was paid.';
    case 'requested':
    case 'approved':
    case 'declined':
    case 'expired':
      return 'the planner was not told of it.';
    default:
      return assertNever(entry.state);
  }
}
