import type { CardField, CardFieldKind } from '../../../domain/card.ts';
import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { readWord } from '../values/received-text.ts';
import {
  CARD_BOUNDS,
  type CardBuilder,
  createTextReader,
  noteUnknownKeys,
  readCardText,
  readRecords,
} from './card-builder.ts';
import { isTrue } from './card-choices.ts';
import { sanitiseSelection } from './selection.ts';

type Options = CardField['options'];

const FIELD_KINDS = new Map<string, CardFieldKind>([
  ['text', 'text'],
  ['number', 'number'],
  ['email', 'email'],
  ['select', 'select'],
  ['radio', 'select'],
  ['multi_select', 'multi_select'],
  ['checkbox', 'checkbox'],
]);

const FIELD_KEYS = ['type', 'name', 'id', 'kind', 'label', 'required', 'options', 'choices', 'placeholder', 'multi'];

/** A field as the payload has it, and what holds where it does not say. */
export type FieldSource = {
  record: JsonRecord;
  place: string;
  kind?: CardFieldKind;
  isRequired?: boolean;
};

/**
 * Adds a form's field, a custom card's input, a detail card's sub-options or a choice grid. A field without a usable
 * name could not be sent back and is noted; one of an unknown kind is asked for as text, and noted.
 */
export function addField(builder: CardBuilder, { record, place, kind, isRequired }: FieldSource): void {
  const text = createTextReader(builder, record, place);
  const name = readName(own(record, 'name') ?? own(record, 'id'));
  noteUnknownKeys(builder, { record, known: FIELD_KEYS, place });
  if (name === undefined) {
    builder.misread(`${place}: no name to send its value under`);
    return;
  }
  const label = text(['label']) ?? readCardText(name) ?? 'Field';
  const options = readOptions(builder, own(record, 'options') ?? own(record, 'choices'), `Field "${label}"`);
  builder.addField({
    name,
    kind: kindOf(builder, { told: kind ?? own(record, 'kind'), label, options }),
    label,
    isRequired: isTrue(own(record, 'required')) ?? isRequired ?? false,
    placeholder: text(['placeholder']) ?? null,
    options,
  });
}

/** A name that a selection can carry, exactly as it is. */
function readName(value: unknown): string | undefined {
  const name = readWord(value) === undefined ? '' : String(value);
  return name !== '' && Object.hasOwn(sanitiseSelection({ [name]: '' }), name) ? name : undefined;
}

function kindOf(
  builder: CardBuilder,
  { told, label, options }: { told: unknown; label: string; options: Options },
): CardFieldKind {
  const word = readCardText(told)?.trim().toLowerCase();
  const kind = word === undefined ? undefined : FIELD_KINDS.get(word);
  if (kind === undefined && word !== undefined)
    builder.misread(`Field "${label}": the kind "${word}", asked for as text`);
  if (kind === 'checkbox' && options.length > 0) return 'multi_select';
  if (kind !== 'select' && kind !== 'multi_select') return kind ?? (options.length > 0 ? 'select' : 'text');
  if (options.length > 0) return kind;
  builder.misread(`Field "${label}": nothing to select from, asked for as text`);
  return 'text';
}

/** Options as `[{value, label, secondary_text?}]` or as bare values, each value once. */
function readOptions(builder: CardBuilder, value: unknown, place: string): Options {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    builder.misread(`${place}: its options`);
    return [];
  }
  const options = new Map<Options[number]['value'], Options[number]>();
  let leftOut = 0;
  for (const item of value) {
    const option = readOption(builder, item, place);
    if (option === undefined || options.has(option.value)) builder.misread(`${place}: an option`);
    else if (options.size < CARD_BOUNDS.options) options.set(option.value, option);
    else leftOut += 1;
  }
  if (leftOut > 0) builder.misread(`${place}: ${leftOut} more options than a card can offer`);
  return [...options.values()];
}

const OPTION_KEYS = ['value', 'id', 'label', 'secondary_text', 'image'];

function readOption(builder: CardBuilder, item: unknown, place: string): Options[number] | undefined {
  const value = readOptionValue(isRecord(item) ? (own(item, 'value') ?? own(item, 'id')) : item);
  if (value === undefined) return undefined;
  if (!isRecord(item)) return { value, label: readCardText(value) ?? String(value), detail: null };
  noteUnknownKeys(builder, { record: item, known: OPTION_KEYS, place });
  const text = createTextReader(builder, item, place);
  return { value, label: text(['label']) ?? String(value), detail: text(['secondary_text']) ?? null };
}

/** The value that goes back if the option is chosen: it is kept whole or not at all. */
function readOptionValue(value: unknown): Options[number]['value'] | undefined {
  const kept = sanitiseSelection({ value }).value;
  return kept === undefined || String(kept).trim() === '' ? undefined : kept;
}

/** Adds every field of a list. */
export function addFields(builder: CardBuilder, value: unknown, source: Omit<FieldSource, 'record'>): void {
  for (const record of readRecords(builder, value, source.place)) addField(builder, { ...source, record });
}
