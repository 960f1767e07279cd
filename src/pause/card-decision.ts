import type { Card, Selection } from '../domain/card.ts';
import { answerWords, readsLikeApproval } from './approval-words.ts';
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
  const named = title === '' ? 'the card' : `the card ${asQuoted(title, TITLE)}`;
  if (isCancelled) return `I cancel ${named}. I choose nothing on it.`;
  if (text !== null) return answerWords(text, shownText(card));
  const where = title === '' ? '' : ` on ${named}`;
  const did = label === null ? `I filled in ${named}` : `I choose ${asQuoted(label, LABEL)}${where}`;
  const json = selectionJson(selection);
  const isAboutPaying = readsLikeApproval(`${label ?? ''}. ${shownText(card)}. ${json}`);
  return `${did}.${isAboutPaying ? ` ${NO_APPROVAL}` : ''} Selection: ${json}`;
}

/** A card may look like a payment's, and is none: neither policy nor ledger knows of it (contract C18). */
const NO_APPROVAL = 'This choice approves no payment.';

/** What can be read on a card, one sentence each. */
function shownText({ title, items, choices }: Card): string {
  const texts = items.map((item) => {
    if (item.type === 'row') return `${item.label} ${item.value}`;
    return 'text' in item ? item.text : '';
  });
  return [title ?? '', ...texts, ...choices.map(({ label }) => label)].join('. ');
}

/** JSON without angle brackets, which the planner's rails use for control texts; its meaning is the same. */
function selectionJson(selection: Selection): string {
  return JSON.stringify(selection).replace(/</g, '\\u003c').replace(/>/g, '\\u003e');
}
