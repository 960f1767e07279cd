import type { Card, Selection } from '../domain/card.ts';
import { asQuoted, asWords } from './plain-words.ts';

const TITLE = 200;
const LABEL = 300;

/**
 * An answer to a card as the planner hears it (contract C22): a sentence, and the selection as compact JSON, which is
 * what agents read. Words of one's own go out as they are.
 */
export function cardDecisionText(decision: {
  card: Card;
  label: string | null;
  selection: Selection;
  text: string | null;
  isCancelled: boolean;
}): string {
  const { card, label, selection, text, isCancelled } = decision;
  const title = asWords(card.title ?? '', TITLE);
  const where = title === '' ? '' : ` on the card ${asQuoted(title, TITLE)}`;
  if (isCancelled) return `I cancel${where === '' ? ' the card' : where.replace(' on', '')}. I choose nothing on it.`;
  if (text !== null) return text;
  const did =
    label === null
      ? `I filled in the card${title === '' ? '' : ` ${asQuoted(title, TITLE)}`}`
      : `I choose ${asQuoted(label, LABEL)}${where}`;
  return `${did}. Selection: ${selectionJson(selection)}`;
}

/** JSON without angle brackets, which the planner's rails use for control texts; its meaning is the same. */
function selectionJson(selection: Selection): string {
  return JSON.stringify(selection).replace(/</g, '\\u003c').replace(/>/g, '\\u003e');
}
