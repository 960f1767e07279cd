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
  return withoutEnd(text.trim(), /[.!?…]/u)
    .trim()
    .toLowerCase();
}

/** Without the marks that a text ends in. A pattern for that looks at each run of marks once per mark of it. */
function withoutEnd(text: string, mark: RegExp): string {
  let end = text.length;
  while (end > 0 && mark.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const DECISION_WORDS =
  /^(?:yes|yep|yeah|y|no|nope|n|ok|okay|sure|go|ahead|do|confirm(?:ed)?|approved?|accept(?:ed)?|pay|paid|declined?|reject(?:ed)?|cancel|\+1|-1|👍|✅|✔|👎|❌|👌|🆗|:\+1:|:thumbsup:|:-1:|:thumbsdown:|:ok_hand:|:ok:|:white_check_mark:|:heavy_check_mark:|:x:)$/iu;
/** What may stand beside such a word without making it a request. */
const WORDS_BESIDE =
  /^(?:i|we|have|it|this|that|the|a|now|not|don't|please|pls|thanks|thank|you|and|payment|request|thx)$/iu;
const BETWEEN_WORDS = /[\s.,;!?…()"“”*~]+|(?<=\p{Extended_Pictographic})|(?=\p{Extended_Pictographic})/u;
const EMOJI_LOOKS = /\ufe0f|[\u{1f3fb}-\u{1f3ff}]|:skin-tone-\d:/gu;

/** Longer than the longest of them with a word of thanks. */
const MAX_DECISION_CHARS = 80;

/**
 * Whether a reply while a payment waits is meant to decide it: words that say yes or no, and nothing else of weight. They
 * decide nothing (contract C18), and would make a senseless next request.
 */
export function isDecisionWord(text: string): boolean {
  const said = withoutEnd(text, /[\s.,!?…]/u);
  if (said.length > MAX_DECISION_CHARS) return false;
  const words = said.replace(EMOJI_LOOKS, '').replaceAll('’', "'").split(BETWEEN_WORDS).filter(Boolean);
  const isKnown = (word: string): boolean => DECISION_WORDS.test(word) || WORDS_BESIDE.test(word);
  return words.every(isKnown) && words.some((word) => DECISION_WORDS.test(word));
}
