import type { InputBlock } from '@slack/types';
import type { Card, CardField } from '../../domain/card.ts';
import { plain } from '../blocks.ts';
import { chooser, type Entry, isEntryCut, MAX_ENTRIES } from '../chooser.ts';
import { LIMITS } from '../limits.ts';
import { plainText } from '../text/escape.ts';
import { label } from '../text/label.ts';
import { CARD_MODAL, cardFieldBlockId } from './interaction-ids.ts';

/** Of Slack's 100 blocks, leaving room for the choice and for what is to be read. */
const MAX_FIELDS = 90;
/** Of Slack's 250,000 bytes for a view. */
const MAX_BYTES = 115_000;
const NAME = 2_000;

/** A field with its place in the card, which names its block. */
export type PlacedField = { field: CardField; index: number };

/**
 * The fields that one modal can hold, in the card's order: required ones first of all, then as many others as fit.
 * `omitted` are the others; one of them being required means that the modal cannot answer the card.
 */
export function modalFields(card: Card): { shown: PlacedField[]; omitted: PlacedField[] } {
  const placed = card.fields.map((field, index) => ({ field, index }));
  const byNeed = [
    ...placed.filter(({ field }) => field.isRequired),
    ...placed.filter(({ field }) => !field.isRequired),
  ];
  const chosen = new Set<number>();
  let bytes = 0;
  for (const one of byNeed) {
    bytes += Buffer.byteLength(JSON.stringify(fieldInput(one)));
    if (chosen.size >= MAX_FIELDS || bytes > MAX_BYTES) break;
    chosen.add(one.index);
  }
  return {
    shown: placed.filter(({ index }) => chosen.has(index)),
    omitted: placed.filter(({ index }) => !chosen.has(index)),
  };
}

/** A field's name for people: its label, else its name, else its number. */
export function fieldWords({ field, index }: PlacedField): string {
  return label(field.label, NAME) ?? label(field.name, NAME) ?? `Field ${index + 1}`;
}

/** Whether a field is drawn as a choice; a select without options can only be typed. */
export function isChoice(field: CardField): boolean {
  return (field.kind === 'select' || field.kind === 'multi_select') && field.options.length > 0;
}

/** One field as an input of its kind. */
export function fieldInput(placed: PlacedField): InputBlock {
  const { field, index } = placed;
  return {
    type: 'input',
    block_id: cardFieldBlockId(index),
    optional: !field.isRequired,
    label: plain(fieldWords(placed), LIMITS.input.label),
    element: fieldElement(placed),
  };
}

function fieldElement({ field }: PlacedField): InputBlock['element'] {
  const action_id = CARD_MODAL.inputId;
  const hint = placeholderOf(field);
  if (isChoice(field)) {
    const isMulti = field.kind === 'multi_select';
    return chooser({ actionId: action_id, entries: fieldEntries(field), isMulti, isRequired: field.isRequired });
  }
  switch (field.kind) {
    case 'number':
      return { type: 'number_input', action_id, is_decimal_allowed: true, ...hint };
    case 'email':
      return { type: 'email_text_input', action_id, ...hint };
    case 'checkbox':
      return { type: 'checkboxes', action_id, options: [{ text: plain('Yes', 75), value: '0' }] };
    default:
      return { type: 'plain_text_input', action_id, max_length: LIMITS.input.value, ...hint };
  }
}

function placeholderOf({ placeholder }: CardField): { placeholder?: ReturnType<typeof plain> } {
  const words = label(placeholder, LIMITS.input.placeholder);
  return words === null ? {} : { placeholder: plain(words, LIMITS.input.placeholder) };
}

/** The options as people choose them; numbered where one is cut, so that the full list beside it can be followed. */
function fieldEntries(field: CardField): Entry[] {
  const entries = plainEntries(field);
  if (!entries.some(isEntryCut)) return entries;
  return entries.map(({ text, detail }, index) => ({ text: `${index + 1}. ${text}`, detail }));
}

/** An option for people, in one line: its label, else its value, else its number. */
export function optionWords({ options }: CardField, index: number): string {
  const option = options[index];
  return label(option?.label ?? null, NAME) ?? label(String(option?.value ?? ''), NAME) ?? `Option ${index + 1}`;
}

function plainEntries(field: CardField): Entry[] {
  return field.options.map((option, index) => ({
    text: optionWords(field, index),
    detail: label(option.detail, NAME),
  }));
}

/** A field's options in full, where its input cuts or leaves out some; empty otherwise. */
export function optionList(placed: PlacedField): string {
  const entries = isChoice(placed.field) ? plainEntries(placed.field) : [];
  const tooMany = entries.length > MAX_ENTRIES ? [`Only the first ${MAX_ENTRIES} can be chosen here.`] : [];
  if (tooMany.length === 0 && !entries.some(isEntryCut)) return '';
  const lines = entries.map(
    ({ text, detail }, index) => `${index + 1}. ${text}${detail === null ? '' : ` – ${detail}`}`,
  );
  return [`${plainText(fieldWords(placed))}:`, ...lines, ...tooMany].join('\n');
}
