import { z } from 'zod';
import { CARD_FIELD_KINDS, type Card, type Selection } from '../../domain/card.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const selectionSchema: z.ZodType<Selection> = z.record(z.string(), scalar);

const itemSchema: z.ZodType<Card['items'][number]> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('heading'), text: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('row'), label: z.string(), value: z.string() }),
  z.object({ type: z.literal('image'), url: z.string(), alt: z.string() }),
  z.object({ type: z.literal('divider') }),
]);

const fieldSchema: z.ZodType<Card['fields'][number]> = z.object({
  name: z.string(),
  kind: z.enum(CARD_FIELD_KINDS),
  label: z.string(),
  isRequired: z.boolean(),
  placeholder: z.string().nullable(),
  options: z.array(z.object({ value: scalar, label: z.string(), detail: z.string().nullable() })),
});

/** A card as it stands in a pause. */
export const cardSchema: z.ZodType<Card> = z.object({
  cardKind: z.string(),
  title: z.string().nullable(),
  items: z.array(itemSchema),
  choices: z.array(
    z.object({
      label: z.string(),
      detail: z.string().nullable(),
      selection: selectionSchema,
      isPrimary: z.boolean(),
    }),
  ),
  fields: z.array(fieldSchema),
  notUnderstood: z.array(z.string()),
});
