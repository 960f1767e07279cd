import type { Card, CardChoice, CardField, CardItem } from '../../../domain/card.ts';
import { readHttpsUrl } from '../values/https-url.ts';
import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { isNoText } from '../values/no-text.ts';
import { boundedText, dropSecrets } from '../values/received-text.ts';

/** How much of each a card may hold; what is beyond is counted and said. */
export const CARD_BOUNDS = {
  items: 200,
  choices: 200,
  fields: 100,
  /** Of a field. A menu offers fewer; all are listed beside it. */
  options: 500,
  notUnderstood: 30,
  /** Characters of a text, of a label or title, and of a line about what was not understood. */
  textChars: 10_000,
  labelChars: 1_000,
  lineChars: 200,
} as const;

/** Collects a card while its payload is walked. What does not fit is counted and told in `notUnderstood`. */
export interface CardBuilder {
  setTitle(title: string | undefined): void;
  addItem(item: CardItem): void;
  addText(text: string | undefined): void;
  /** An image by its link or as `{url, alt}`; anything but https is left out and said. */
  addImage(value: unknown, alt: string | undefined): void;
  addChoice(choice: CardChoice): void;
  /** A field; a second one of the same name would overwrite the first one's value and is left out. */
  addField(field: CardField): void;
  /** Notes what could not be understood, as a short plain line. */
  misread(line: string): void;
  build(cardKind: string): Card;
}

export function createCardBuilder(): CardBuilder {
  const card: Omit<Card, 'cardKind'> = { title: null, items: [], choices: [], fields: [], notUnderstood: [] };
  const left = { items: 0, choices: 0, fields: 0, notUnderstood: 0 };
  const add = <K extends keyof typeof left>(list: K, entry: Card[K][number]): void => {
    // The entry is of the list's own type, which an array picked by a type parameter does not show.
    const entries = card[list] as Array<Card[K][number]>;
    if (entries.length < CARD_BOUNDS[list]) entries.push(entry);
    else left[list] += 1;
  };
  const builder: CardBuilder = {
    setTitle(title) {
      card.title ??= title ?? null;
    },
    addItem: (item) => add('items', item),
    addText(text) {
      if (text !== undefined) add('items', { type: 'text', text });
    },
    addImage(value, alt) {
      const url = readHttpsUrl(isRecord(value) ? (own(value, 'url') ?? own(value, 'src')) : value);
      const told = isRecord(value) ? (own(value, 'alt') ?? own(value, 'alt_text')) : undefined;
      if (url !== undefined) add('items', { type: 'image', url, alt: readCardText(told) ?? alt ?? 'Image' });
      else if ((value ?? '') !== '') builder.misread('An image that is not a plain https link');
    },
    addChoice: (choice) => add('choices', choice),
    addField(field) {
      if (card.fields.some(({ name }) => name === field.name)) builder.misread(`A second field named "${field.name}"`);
      else add('fields', field);
    },
    misread(line) {
      // Beyond the bound lines are only counted, so that a payload of nothing but oddities costs little.
      const isKept = card.notUnderstood.length < CARD_BOUNDS.notUnderstood;
      // It names what others sent, and a name may be a secret too; cut before as well, as `readCardText` does.
      const bounded = isKept
        ? boundedText(dropSecrets(line.slice(0, CARD_BOUNDS.lineChars * 4)), CARD_BOUNDS.lineChars)
        : '';
      add('notUnderstood', bounded.replace(/\s+/g, ' '));
    },
    build(cardKind) {
      const lines = [...card.notUnderstood];
      for (const [list, count] of Object.entries(left)) {
        if (count > 0) lines.push(`${count} more ${LEFT_OUT[list as keyof typeof left]}`);
      }
      return { ...card, cardKind, notUnderstood: lines };
    },
  };
  return builder;
}

const LEFT_OUT = {
  items: 'texts, rows or images than a card can show',
  choices: 'choices than a card can offer',
  fields: 'fields than a card can ask for',
  notUnderstood: 'things that were not understood',
} as const;

/**
 * A text of a card: a string, without secrets, or a number or truth value as it is written; undefined when it
 * says nothing.
 */
export function readCardText(value: unknown, maxChars: number = CARD_BOUNDS.labelChars): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  // Cut before too, so that a huge text costs little.
  const text = boundedText(dropSecrets(value.slice(0, maxChars * 4)), maxChars);
  return isNoText(text) ? undefined : text;
}

/** Reads the first of `keys` that holds a text; one that holds something else is noted. */
export function createTextReader(builder: CardBuilder, record: JsonRecord, place: string) {
  return (keys: readonly string[], maxChars: number = CARD_BOUNDS.labelChars): string | undefined => {
    for (const key of keys) {
      const value = own(record, key);
      const text = readCardText(value, maxChars);
      if (text !== undefined) return text;
      if (typeof value === 'object' && value !== null) builder.misread(`${place}: "${key}"`);
    }
    return undefined;
  };
}

/** Notes the keys of an object that nobody reads. */
export function noteUnknownKeys(
  builder: CardBuilder,
  seen: { record: JsonRecord; known: readonly string[]; place: string },
): void {
  for (const key of Object.keys(seen.record)) {
    const isSaid = own(seen.record, key) !== null;
    if (isSaid && !seen.known.includes(key)) builder.misread(`${seen.place}: "${key}"`);
  }
}

/** The objects of a list, or a single one; anything else in it is noted. */
export function readRecords(builder: CardBuilder, value: unknown, place: string): JsonRecord[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).filter((item): item is JsonRecord => {
    if (!isRecord(item)) builder.misread(place);
    return isRecord(item);
  });
}
