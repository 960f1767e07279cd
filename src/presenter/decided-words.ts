import { type CardDecision, isPauseOf, type Pause, type PauseOf, type PaymentDecision } from '../domain/pause.ts';
import { paymentWords } from './payment/payment-record.ts';
import { escapeWithin } from './text/escape.ts';
import { label } from './text/label.ts';
import { atTime } from './text/time-text.ts';
import { mention } from './text/words.ts';

const ANSWER = 300;

/** Who was first, told to somebody who came later. Our own mrkdwn. */
export function alreadyDecidedText(pause: Pause): string {
  if (pause.state === 'cancelled') return 'The run was stopped, so there is nothing to decide here any more.';
  const by = whoAndWhen(pause);
  const { decision } = pause;
  if (decision?.kind === 'payment' && isPauseOf(pause, 'payment')) return paymentDecided(pause, decision);
  if (decision?.kind === 'card') return `${by.who} ${cardDecided(decision)}${by.when}.`;
  const what = decision?.kind === 'clarification' ? `: ${escapeWithin(decision.answer, ANSWER)}` : '';
  return `${by.who} has already answered${by.when}${what}`;
}

function paymentDecided(pause: PauseOf<'payment'>, { verdict, optionIndex, reason }: PaymentDecision): string {
  const { who, when } = whoAndWhen(pause);
  const what = paymentWords({ terms: pause.request.terms, optionIndex });
  if (verdict === 'approve') return `${who} has already approved ${what}${when}.`;
  const why = label(reason, ANSWER);
  const reasonWords = why === null ? '.' : `: ${escapeWithin(why, ANSWER)}`;
  return `${pause.decidedBy === null ? 'The policy' : who} has already declined ${what}${when}${reasonWords}`;
}

function cardDecided({ isCancelled, label: chosen, text }: CardDecision): string {
  if (isCancelled) return 'has already cancelled this card';
  if (chosen !== null) return `has already chosen “${escapeWithin(label(chosen, ANSWER) ?? '…', ANSWER)}”`;
  return text === null ? 'has already filled in this card' : 'has already answered this card in words';
}

function whoAndWhen({ decidedBy, decidedAt }: Pause): { who: string; when: string } {
  return {
    who: decidedBy === null ? 'Someone' : mention(decidedBy),
    when: atTime(decidedAt),
  };
}
