import type { Card } from '../../../domain/card.ts';
import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { boundedText } from '../values/received-text.ts';
import { CARD_BOUNDS, type CardBuilder, createCardBuilder, readCardText } from './card-builder.ts';
import { type CardEnvelope, findCardEnvelope } from './card-envelope.ts';
import { CARD_KINDS } from './card-kinds.ts';
import { cardSizeProblem } from './card-size.ts';

/** A card, and whether it only informs: a terminal one is shown and nobody waits for an answer to it. */
export type CardReading = { card: Card; isTerminal: boolean };

const MAX_KIND_CHARS = 40;

/**
 * The card that a task's or the plan's object holds, in any of the forms of `findCardEnvelope`; null without one.
 *
 * Size (64 KB) and depth (8) are checked before anything is walked. What is understood is shown, what is not is listed
 * in `notUnderstood`; a kind that is not known gives its texts. Never throws.
 */
export function readCard(record: JsonRecord): CardReading | null {
  const envelope = findCardEnvelope(record);
  if (envelope === null) return null;
  const cardKind = boundedText(envelope.cardKind ?? 'unknown', MAX_KIND_CHARS);
  const builder = createCardBuilder();
  const problem = envelope.problem ?? cardSizeProblem(envelope.payload, envelope.cardKind === 'custom');
  if (problem === null) readPayload(builder, envelope);
  else builder.misread(problem);
  return { card: withSubmit(builder.build(cardKind)), isTerminal: envelope.isTerminal };
}

function readPayload(builder: CardBuilder, { cardKind, payload: sent }: CardEnvelope): void {
  const payload = cardKind === 'carousel' && Array.isArray(sent) ? { items: sent } : sent;
  const readKind = CARD_KINDS.get(cardKind ?? '');
  if (readKind === undefined) {
    builder.misread(cardKind === null ? 'A card of no kind' : `A card of the kind "${cardKind}"`);
    addTexts(builder, payload);
  } else if (isRecord(payload)) {
    readKind(builder, payload);
  } else {
    builder.misread("The card's content");
    addTexts(builder, payload);
  }
}

/** Keys whose text is meant to be read. */
const TEXT_KEYS = [
  'title',
  'subtitle',
  'heading',
  'label',
  'name',
  'question',
  'message',
  'text',
  'description',
  'body',
  'caption',
  'content',
  'value',
  'secondary_text',
];

/** The texts of a payload that is not understood, in its order. Its depth is bounded before. */
function addTexts(builder: CardBuilder, value: unknown): void {
  if (typeof value === 'string') builder.addText(readCardText(value, CARD_BOUNDS.textChars));
  if (Array.isArray(value)) for (const item of value) addTexts(builder, item);
  if (!isRecord(value)) return;
  for (const key of Object.keys(value)) {
    const inner = own(value, key);
    const isText = TEXT_KEYS.includes(key);
    if (isText || typeof inner === 'object') addTexts(builder, inner);
  }
}

/** What can be filled in can be sent. */
function withSubmit(card: Card): Card {
  if (card.fields.length === 0 || card.choices.length > 0) return card;
  return { ...card, choices: [{ label: 'Submit', detail: null, selection: {}, isPrimary: true }] };
}
