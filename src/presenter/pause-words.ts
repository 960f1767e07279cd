import { assertNever } from '../domain/assert-never.ts';
import type { Pause } from '../domain/pause.ts';
import { paymentWords } from './payment/payment-record.ts';
import { escapeWithin } from './text/escape.ts';
import { label } from './text/label.ts';

const WORDS = 80;

/** What a pause is about, in a few words of our own mrkdwn, for lists and reminders. */
export function pauseWords({ request }: Pick<Pause, 'request'>): string {
  switch (request.kind) {
    case 'clarification':
      return escapeWithin(label(request.question, WORDS) ?? 'a question', WORDS * 2);
    case 'payment':
      return `a payment of ${paymentWords({ terms: request.terms, optionIndex: null })}`;
    case 'card': {
      const title = label(request.card.title, WORDS);
      return title === null ? 'a card' : `the card “${escapeWithin(title, WORDS * 2)}”`;
    }
    default:
      return assertNever(request);
  }
}
