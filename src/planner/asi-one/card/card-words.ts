import type { Card } from '../../../domain/card.ts';
import { CARD_BOUNDS, readCardText } from './card-builder.ts';

/**
 * The card with what the planner said beside it as the first thing to read: it may ask what the card does not, or hold a
 * link that a card cannot. Words that the card itself shows are not repeated.
 */
export function withWords(card: Card, said: string | null): Card {
  const words = readCardText(said, CARD_BOUNDS.textChars);
  if (words === undefined || card.title === words || card.items.some((item) => 'text' in item && item.text === words)) {
    return card;
  }
  return { ...card, items: [{ type: 'text', text: words }, ...card.items] };
}
