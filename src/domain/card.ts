/** What a choice or a form sends back: the planner's own identifiers and values, all scalars. */
export type Selection = Record<string, string | number | boolean>;

/** Something to read on a card. Texts are untrusted; images are https with an alt text. */
export type CardItem =
  | { type: 'heading'; text: string }
  | { type: 'text'; text: string }
  | { type: 'row'; label: string; value: string }
  | { type: 'image'; url: string; alt: string }
  | { type: 'divider' };

/** Something to choose: a button whose press answers the card with `selection`, merged with the fields' values. */
export type CardChoice = { label: string; detail: string | null; selection: Selection; isPrimary: boolean };

export const CARD_FIELD_KINDS = ['text', 'number', 'email', 'select', 'multi_select', 'checkbox'] as const;
export type CardFieldKind = (typeof CARD_FIELD_KINDS)[number];

/** Something to fill in. `options` belongs to the two kinds of select; the value of each goes back in its own type. */
export type CardField = {
  name: string;
  kind: CardFieldKind;
  label: string;
  isRequired: boolean;
  placeholder: string | null;
  options: Array<{ value: Selection[string]; label: string; detail: string | null }>;
};

/**
 * A card interaction in one shape for all kinds (carousel, detail, form, review, custom): what to read, what to choose,
 * what to fill in. An unknown kind, or one that cannot be read, has `items` with its text and neither choices nor fields:
 * a free-text answer is always possible.
 */
export type Card = {
  cardKind: string;
  title: string | null;
  items: CardItem[];
  choices: CardChoice[];
  fields: CardField[];
  /** What was there and could not be understood, as short plain lines. */
  notUnderstood: string[];
};
