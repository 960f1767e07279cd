import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../json.ts';
import { type CardOffer, isPlainValue, type OfferedField, offerOf } from './card-offer.ts';
import type { AnswerReading } from './reading.ts';

const CONTROL_TEXT = /<\s*\w+:payment_id:/i;
const CANCEL = /^I cancel\b/i;
/** What only a selection can follow. */
const CHOICE = /^I (choose|filled in)\b/i;

/**
 * The answer to a card: its cancellation, a selection as JSON, or words. A selection holds all that one of the offered
 * ones does, and beside it the values of the card's fields, each of the field's kind, and nothing else.
 */
export function readCardAnswer(card: JsonObject, text: string): AnswerReading {
  if (CANCEL.test(text)) return { answer: { says: 'cancel' } };
  const selection = findSelection(text);
  if (selection === null) {
    return CHOICE.test(text) ? { fault: 'the choice has no selection' } : { answer: { says: 'words' } };
  }
  const fault = findSelectionFault(offerOf(card), selection);
  return fault === null ? { answer: { says: 'choice', selection } } : { fault };
}

/** The JSON object that stands in a text, or null: agents read it wherever it is. */
function findSelection(text: string): JsonObject | null {
  const end = text.lastIndexOf('}') + 1;
  for (let at = text.indexOf('{'); at !== -1 && at < end; at = text.indexOf('{', at + 1)) {
    const value = parseOrNull(text.slice(at, end));
    if (isObject(value)) return value;
  }
  return null;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // no JSON: plain words
  }
}

function findSelectionFault(offer: CardOffer, selection: JsonObject): string | null {
  const nested = Object.keys(selection).find((key) => !isPlainValue(selection[key]));
  if (nested !== undefined) return `"${nested}" of the selection is no plain value`;
  const offered = offer.selections.length > 0 ? offer.selections : [{}];
  const faults = offered.map((each) => findFaultBeside(each, offer.fields, selection));
  return faults.includes(null) ? null : (faults[0] ?? null);
}

/** What is wrong with a selection that was made from this offered one. */
function findFaultBeside(offered: JsonObject, fields: OfferedField[], selection: JsonObject): string | null {
  const missing = Object.keys(offered).find(
    (key) => !fields.some(({ name }) => name === key) && !isSentBack(offered[key], selection[key]),
  );
  if (missing !== undefined) return `the selection does not hold the offered "${missing}"`;
  const stranger = Object.keys(selection).find(
    (key) => !Object.hasOwn(offered, key) && !fields.some(({ name }) => name === key),
  );
  if (stranger !== undefined) return `nothing on the card is called "${stranger}"`;
  for (const field of fields) {
    const fault = findFieldFault(field, selection[field.name]);
    if (fault) return `the field "${field.name}" ${fault}`;
  }
  return null;
}

/** A control text of the payment rails must not come back as it was; a client sends words in its place. */
function isSentBack(offered: unknown, sent: unknown): boolean {
  if (typeof offered === 'string' && CONTROL_TEXT.test(offered)) return typeof sent === 'string';
  return isDeepStrictEqual(offered, sent);
}

function findFieldFault(field: OfferedField, value: unknown): string | null {
  if (value === undefined) return field.required ? 'is required' : null;
  if (field.kind === 'number') return typeof value === 'number' ? null : 'must be a number';
  if (field.kind === 'checkbox') return typeof value === 'boolean' ? null : 'must be true or false';
  if (field.kind === 'select') return field.values.includes(value) ? null : `must be one of ${field.values.join(', ')}`;
  if (typeof value !== 'string') return 'must be a text';
  return field.kind === 'email' && !value.includes('@') ? 'must be an e-mail address' : null;
}
