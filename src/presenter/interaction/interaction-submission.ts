import type { Card, CardField, Selection } from '../../domain/card.ts';
import { MAX_ENTRIES } from '../chooser.ts';
import { chosenIndexes, chosenValues, typedText } from '../view-state.ts';
import { isChoice, modalFields, type PlacedField } from './interaction-fields.ts';
import { CARD_MODAL, cardFieldBlockId } from './interaction-ids.ts';
import { readInteractionMetadata } from './interaction-modal.ts';

/** What was sent: the choice, if there was one to make, and its selection merged with the fields' values. */
export type InteractionSubmission = { choiceIndex: number | null; selection: Selection };

type Value = string | number | boolean;
/** A field's value; null for one that was left empty; or what is wrong with it. */
type Reading = { value: Value | null } | { problem: string };

const REQUIRED = 'Please fill this in.';
const CHOOSE = 'Please choose one.';
const EMAIL = /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+\.[^\s@<>,;:"().]+$/;
const MAX_EMAIL = 254;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
/** A double keeps this many digits exactly; more would reach the agent as another number. */
const MAX_DIGITS = 15;

/**
 * Reads the submission of `interactionModal`: numbers come back as numbers, check boxes as booleans, several choices as
 * one text. Fields left empty are not in the selection. `errors` are by `block_id`, for `response_action: errors`.
 */
export function readInteractionSubmission(
  view: { state: unknown; private_metadata: string },
  card: Card,
): InteractionSubmission | { errors: Record<string, string> } {
  const choiceIndex = readChoice(view, card);
  const errors: Record<string, string> = {};
  const values: Array<[string, Value]> = [];
  if (card.choices.length > 0 && choiceIndex === null) errors[CARD_MODAL.choiceBlockId] = CHOOSE;
  for (const placed of modalFields(card).shown) {
    const reading = readField(view.state, placed);
    if ('problem' in reading) errors[cardFieldBlockId(placed.index)] = reading.problem;
    else if (reading.value !== null) values.push([placed.field.name, reading.value]);
  }
  if (Object.keys(errors).length > 0) return { errors };
  const chosen = choiceIndex === null ? {} : card.choices[choiceIndex]?.selection;
  return { choiceIndex, selection: Object.fromEntries([...Object.entries(chosen ?? {}), ...values]) };
}

/** The choice whose button opened the modal, or the one made in it; null for none or one that the card does not have. */
function readChoice(view: { state: unknown; private_metadata: string }, card: Card): number | null {
  const pressed = readInteractionMetadata(view.private_metadata)?.choiceIndex ?? null;
  if (pressed !== null) return pressed < card.choices.length ? pressed : null;
  const count = Math.min(card.choices.length, MAX_ENTRIES);
  const place = { blockId: CARD_MODAL.choiceBlockId, inputId: CARD_MODAL.inputId, count };
  const chosen = chosenIndexes(view.state, place);
  return chosen?.length === 1 ? (chosen[0] ?? null) : null;
}

function readField(state: unknown, { field, index }: PlacedField): Reading {
  const place = { blockId: cardFieldBlockId(index), inputId: CARD_MODAL.inputId };
  if (field.kind === 'checkbox') {
    const isTicked = chosenValues(state, place).length > 0;
    return field.isRequired && !isTicked ? { problem: 'Please tick this.' } : { value: isTicked };
  }
  if (isChoice(field)) {
    const count = Math.min(field.options.length, MAX_ENTRIES);
    return readOptions(field, chosenIndexes(state, { ...place, count }));
  }
  const text = typedText(state, place);
  if (text === '') return field.isRequired ? { problem: REQUIRED } : { value: null };
  if (field.kind === 'number') return readNumber(text);
  return field.kind === 'email' ? readEmail(text) : { value: text };
}

function readOptions(field: CardField, indexes: number[] | null): Reading {
  if (indexes === null) return { problem: 'This is none of the options.' };
  if (indexes.length === 0) return field.isRequired ? { problem: REQUIRED } : { value: null };
  const values = indexes.flatMap((index) => field.options[index]?.value ?? []);
  const [only] = values;
  if (field.kind === 'select') {
    return values.length === 1 && only !== undefined ? { value: only } : { problem: CHOOSE };
  }
  return { value: joinValues(values) };
}

/** A selection holds scalars only: several values become `a, b`, or JSON where a comma is part of one. */
function joinValues(values: readonly Value[]): string {
  return values.some((value) => String(value).includes(',')) ? JSON.stringify(values) : values.join(', ');
}

function readNumber(text: string): Reading {
  if (!NUMBER.test(text)) return { problem: 'Please enter a number, such as 12 or 12.5.' };
  const digits = text.replace(/^[+-]?0*|\./g, '');
  return digits.length > MAX_DIGITS ? { problem: `Please use at most ${MAX_DIGITS} digits.` } : { value: Number(text) };
}

function readEmail(text: string): Reading {
  const isEmail = text.length <= MAX_EMAIL && EMAIL.test(text);
  return isEmail ? { value: text } : { problem: 'Please enter an e-mail address.' };
}
