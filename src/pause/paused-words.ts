import type { PauseRequest } from '../domain/pause.ts';
import { optionWords } from './payment-decision.ts';
import { asQuoted } from './plain-words.ts';

const VALUE = 300;
const CHOICES = 20;

/**
 * What the assistant asked when its stream brought a payment or a card without any words: a planner may refuse an empty
 * turn, and needs to know what the decision is about.
 */
export function pausedWords(request: Exclude<PauseRequest, { kind: 'clarification' }>): string {
  if (request.kind === 'payment') {
    const { options, payeeName, payeeAddress } = request.terms;
    return `A payment is requested: ${options.map(optionWords).join(', or ')}, to ${asQuoted(payeeName ?? payeeAddress ?? 'an agent', VALUE)}.`;
  }
  const { title, choices } = request.card;
  const labels = choices.slice(0, CHOICES).map(({ label }) => asQuoted(label, VALUE));
  const offered = labels.length === 0 ? '' : ` Choices: ${labels.join(', ')}.`;
  return `A card is shown${title === null ? '' : `: ${asQuoted(title, VALUE)}`}.${offered}`;
}
