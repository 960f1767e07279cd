import type { Card } from '../domain/card.ts';
import type { Clarification } from '../domain/pause.ts';

/** `2`, `2.`, `2)`, `#2`, `option 2`, `confirm 1`, `option #2`. */
const NUMBER = /^(?<word>option|choice|confirm|number|answer|no\.?)?\s*(?<hash>#)?\s*(?<number>\d{1,4})\s*[.)!]?$/iu;

/**
 * What a reply in the thread answers: the option it names by its text or number, in the option's own words, or else
 * the reply itself.
 *
 * A bare number is a number of an option only when no option begins with a digit: to "How many nights?" with the
 * options "3" and "5", the reply "2" means two nights.
 */
export function readReply({ options }: Pick<Clarification, 'options'>, text: string): string {
  const reply = text.trim();
  const index = meantIndex(options, reply);
  return (index === null ? undefined : options[index]) ?? reply;
}

/**
 * The choice of a card that a reply names by its label or number (`confirm 1`), as its index; null for words of one's
 * own, and where the card asks for more than a choice.
 */
export function readCardReply(card: Pick<Card, 'choices' | 'fields'>, text: string): number | null {
  if (card.fields.length > 0) return null;
  return meantIndex(
    card.choices.map(({ label }) => label),
    text.trim(),
  );
}

/** The one entry that a reply names: equal labels are told apart by number alone. */
function meantIndex(labels: readonly string[], reply: string): number | null {
  const wanted = comparable(reply);
  const named = labels.flatMap((label, index) => (wanted !== '' && comparable(label) === wanted ? [index] : []));
  return named.length === 1 ? (named[0] ?? null) : (shownIndex(labels, reply) ?? numberedIndex(labels, reply));
}

/** A label with its number before it, as buttons show those that are listed: `2. Select`. */
function shownIndex(labels: readonly string[], reply: string): number | null {
  const [, number, label = ''] = /^(\d{1,4})\.\s+(.+)$/s.exec(reply) ?? [];
  const index = Number(number) - 1;
  return labels[index] !== undefined && comparable(labels[index]) === comparable(label) ? index : null;
}

function numberedIndex(labels: readonly string[], reply: string): number | null {
  const groups = NUMBER.exec(reply)?.groups;
  if (!groups?.number) return null;
  const isExplicit = groups.word !== undefined || groups.hash !== undefined;
  if (!isExplicit && labels.some((label) => /^\s*\d/.test(label))) return null;
  const index = Number(groups.number) - 1;
  return labels[index]?.trim() ? index : null;
}

/** Case, spaces around, and a closing mark do not matter. */
function comparable(text: string): string {
  return text
    .trim()
    .replace(/[.!?…]+$/u, '')
    .trim()
    .toLowerCase();
}

const DECISION_WORDS =
  /^(?:yes|yep|yeah|y|no|nope|n|ok(?:ay)?|sure|go|go ahead|do it|confirm(?:ed)?|approved?|i approve(?: it| this)?|accept(?:ed)?|pay(?: it| now)?|paid|i have paid|decline[d]?|reject(?:ed)?|cancel|👍|✅|👎|❌|:\+1:|:thumbsup:|:-1:|:thumbsdown:|:white_check_mark:|:heavy_check_mark:|:x:)$/iu;

/**
 * Whether a reply while a payment waits is meant to decide it: short words that say yes or no. They decide nothing
 * (contract C18), and would make a senseless next request.
 */
export function isDecisionWord(text: string): boolean {
  const words = text.replace(/(?:[\s.,!?…]+(?:please|thanks|thank you))?[\s.,!?…]*$/iu, '').trim();
  return DECISION_WORDS.test(words);
}
