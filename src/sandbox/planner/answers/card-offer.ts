import { isObject, type JsonObject } from '../json.ts';
import { objectsIn } from './asked.ts';

/** Something to fill in. `values` are those of a select's options, as sent; a select of several comes back as text. */
export type OfferedField = {
  name: string;
  kind: 'text' | 'number' | 'email' | 'select' | 'several' | 'checkbox';
  required: boolean;
  values: unknown[];
};

/** What a card lets a person send back: the selections of its buttons, and its fields. */
export type CardOffer = { selections: JsonObject[]; fields: OfferedField[] };

const NOTHING: CardOffer = { selections: [], fields: [] };
/** The protocol's limit; a larger card is not shown. */
const MAX_PAYLOAD_BYTES = 64 * 1024;
/** Keys that no client may copy. */
const UNSAFE_KEYS = ['__proto__', 'constructor', 'prototype'];
/** The kinds of the card protocol, version 1. */
const KINDS = ['carousel', 'detail', 'form', 'review', 'custom'];

/** Reads a card's metadata, flat or parsed. A payload that is no JSON, or of another kind, offers nothing. */
export function offerOf(card: JsonObject): CardOffer {
  const payload = payloadOf(card);
  if (payload === null || (card.card_kind !== undefined && !KINDS.includes(String(card.card_kind)))) return NOTHING;
  const all = [...objectsIn(payload)];
  return {
    selections: [...all.flatMap(selectionOf), ...namedItems(payload)],
    fields: all.flatMap(fieldOf),
  };
}

function payloadOf(card: JsonObject): JsonObject | null {
  const sent = card.card_payload ?? card.payload ?? card;
  if (typeof sent !== 'string') return isObject(sent) ? sent : null;
  if (Buffer.byteLength(sent) > MAX_PAYLOAD_BYTES) return null;
  try {
    const parsed: unknown = JSON.parse(sent);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null; // a broken payload: words are the only answer
  }
}

/** What a button sends back: the plain values of its selection, which are all that the protocol allows. */
function selectionOf({ selection }: JsonObject): JsonObject[] {
  if (!isObject(selection)) return [];
  const plain = Object.entries(selection).filter(([key, value]) => !UNSAFE_KEYS.includes(key) && isPlainValue(value));
  return [Object.fromEntries(plain)];
}

export function isPlainValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Items of a carousel whose button sends nothing are chosen by their id. */
function namedItems({ items }: JsonObject): JsonObject[] {
  const named = Array.isArray(items) ? items.filter(isObject) : [];
  return named.flatMap(({ id, primary_cta: cta }) => {
    const sends = isObject(cta) && isObject(cta.selection);
    return typeof id === 'string' && !sends ? [{ id }] : [];
  });
}

function fieldOf(found: JsonObject): OfferedField[] {
  const { name, kind, type, multi } = found;
  const options = Array.isArray(found.options) ? found.options : Array.isArray(found.choices) ? found.choices : [];
  if (typeof name !== 'string' || UNSAFE_KEYS.includes(name)) return [];
  if (kind === undefined && type !== 'input' && options.length === 0) return [];
  const values = options.map((option) => (isObject(option) ? option.value : option));
  const isOne = kind === 'select' || kind === 'radio' || type === 'choice_grid';
  // A detail card's options stand beside its buttons and have to be chosen.
  const required = found.required === true || kind === 'radio';
  if (multi === true || (kind === 'checkbox' && options.length > 0))
    return [{ name, kind: 'several', required, values }];
  if (isOne) return [{ name, kind: 'select', required, values }];
  const known = kind === 'number' || kind === 'email' || kind === 'checkbox' ? kind : 'text';
  return [{ name, kind: known, required, values }];
}
