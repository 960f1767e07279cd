import { type CardDecision, isPauseOf, type Pause, type PauseOf, type PaymentDecision } from '../domain/pause.ts';
import { paymentWords } from './payment/payment-record.ts';
import { escapeWithin } from './text/escape.ts';
import { label } from './text/label.ts';
import { atTime } from './text/time-text.ts';
import { mention } from './text/words.ts';

const ANSWER = 300;

type Decided = { pause: Pause; approverIds: readonly string[] };

/** Who was first, told to somebody who came later; of an approved payment, all who approved it. Our own mrkdwn. */
export function alreadyDecidedText({ pause, approverIds }: Decided): string {
  if (pause.state === 'cancelled') return 'The run was stopped, so there is nothing to decide here any more.';
  const who = namesOf(pause, approverIds);
  const when = atTime(pause.decidedAt);
  const { decision } = pause;
  if (decision?.kind === 'payment' && isPauseOf(pause, 'payment')) {
    const has = approverIds.length > 1 ? 'have' : 'has';
    return `${who} ${has} already ${paymentDecided(pause, decision)}`;
  }
  if (decision?.kind === 'card') return `${who} has already ${cardDecided(decision)}${when}.`;
  const what = decision?.kind === 'clarification' ? `: ${escapeWithin(decision.answer, ANSWER)}` : '';
  return `${who} has already answered${when}${what}`;
}

/**
 * Who decided a pause: all who approved a payment, else the one person who decided, or the policy where none was asked.
 * Our own mrkdwn.
 */
export function namesOf({ decision, decidedBy }: Pause, approverIds: readonly string[]): string {
  const isApproved = decision?.kind === 'payment' && decision.verdict === 'approve';
  if (isApproved && approverIds.length > 0) return approverIds.map(mention).join(' and ');
  if (decidedBy !== null) return mention(decidedBy);
  return decision?.kind === 'payment' ? 'The policy' : 'Someone';
}

function paymentDecided(pause: PauseOf<'payment'>, { verdict, optionIndex, reason }: PaymentDecision): string {
  const what = paymentWords({ terms: pause.request.terms, optionIndex });
  const when = atTime(pause.decidedAt);
  if (verdict === 'approve') return `approved ${what}${when}.`;
  const why = label(reason, ANSWER);
  const reasonWords = why === null ? '.' : `: ${escapeWithin(why, ANSWER)}`;
  return `declined ${what}${when}${reasonWords}`;
}

function cardDecided({ isCancelled, label: chosen, text }: CardDecision): string {
  if (isCancelled) return 'cancelled this card';
  if (chosen !== null) return `chosen “${escapeWithin(label(chosen, ANSWER) ?? '…', ANSWER)}”`;
  return text === null ? 'filled in this card' : 'answered this card in words';
}
