import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import {
  CARD_BOUNDS,
  type CardBuilder,
  createTextReader,
  noteUnknownKeys,
  readCardText,
  readRecords,
} from './card-builder.ts';
import { addCta } from './card-choices.ts';
import { addFields } from './card-fields.ts';
import { addTree } from './card-tree.ts';
import { sanitiseSelection } from './selection.ts';

/** Reads one kind of payload into a card. */
type KindReader = (builder: CardBuilder, payload: JsonRecord) => void;

/** The kinds of the card protocol, version 1 (docs.agentverse.ai, predefined card schemas and element-tree primitives). */
export const CARD_KINDS = new Map<string, KindReader>([
  ['carousel', readCarousel],
  ['detail', readDetail],
  ['form', readForm],
  ['review', readReview],
  ['custom', addTree],
]);

/** The kind of a payload that does not name it, by what only that kind has. */
export function guessKind(payload: JsonRecord): string | null {
  const signs = {
    ...{ root: 'custom', fields: 'form', approve_cta: 'review', items: 'carousel', ctas: 'detail' },
    // A card that only informs needs no button; these two are a detail card's at the least.
    ...{ hero_image: 'detail', summary_rows: 'detail' },
  } as const;
  for (const [key, kind] of Object.entries(signs)) if (Object.hasOwn(payload, key)) return kind;
  return null;
}

/** Keys around a payload that may stand beside its own when it was not wrapped. */
const ENVELOPE_KEYS = [
  'type',
  'kind',
  'card_kind',
  'card_id',
  'card_protocol_version',
  'requires_card_interaction',
  'is_terminal',
  'preferred_drawer_width_px',
  'title',
  'subtitle',
];

/** Not in the protocol, and plain enough to be shown. */
const PROSE_KEYS = ['description', 'text', 'message', 'body'];

function readHead(builder: CardBuilder, payload: JsonRecord, ownKeys: readonly string[]): void {
  const text = createTextReader(builder, payload, 'Card');
  builder.setTitle(text(['title']));
  builder.addText(text(['subtitle'], CARD_BOUNDS.textChars));
  builder.addText(text(PROSE_KEYS, CARD_BOUNDS.textChars));
  noteUnknownKeys(builder, { record: payload, known: [...ENVELOPE_KEYS, ...PROSE_KEYS, ...ownKeys], place: 'Card' });
}

function readCarousel(builder: CardBuilder, payload: JsonRecord): void {
  readHead(builder, payload, ['items']);
  readRecords(builder, own(payload, 'items'), 'An item of the list').forEach((item, index) => {
    if (index > 0) builder.addItem({ type: 'divider' });
    readCarouselItem(builder, item, index);
  });
}

const ITEM_KEYS = ['id', 'title', 'image', 'subtitle', 'badges', 'secondary_text', 'primary_cta'];

function readCarouselItem(builder: CardBuilder, item: JsonRecord, index: number): void {
  const text = createTextReader(builder, item, `Item ${index + 1}`);
  const title = text(['title']) ?? `Item ${index + 1}`;
  builder.addItem({ type: 'heading', text: title });
  builder.addImage(own(item, 'image'), title);
  builder.addText(text(['subtitle'], CARD_BOUNDS.textChars));
  addBadges(builder, own(item, 'badges'));
  builder.addText(text(['secondary_text'], CARD_BOUNDS.textChars));
  noteUnknownKeys(builder, { record: item, known: ITEM_KEYS, place: `Item "${title}"` });
  // An item that can be named can be chosen, with a button of its own or without.
  const identified = sanitiseSelection({ id: own(item, 'id') ?? null });
  const isNamed = Object.keys(identified).length > 0;
  const cta = own(item, 'primary_cta') ?? (isNamed ? {} : undefined);
  addCta(builder, { cta, label: 'Select', detail: title, selection: identified });
}

function addBadges(builder: CardBuilder, value: unknown): void {
  const badges = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  const labels = badges.map((badge) => readCardText(isRecord(badge) ? own(badge, 'label') : badge));
  if (labels.includes(undefined)) builder.misread('A badge');
  const told = labels.filter((label) => label !== undefined);
  if (told.length > 0) builder.addText(told.join(' · '));
}

function readDetail(builder: CardBuilder, payload: JsonRecord): void {
  readHead(builder, payload, ['hero_image', 'summary_rows', 'sub_options', 'ctas']);
  builder.addImage(own(payload, 'hero_image'), readCardText(own(payload, 'title')));
  addRows(builder, own(payload, 'summary_rows'));
  addFields(builder, own(payload, 'sub_options'), { place: 'Options', kind: 'select', isRequired: true });
  addCtas(builder, own(payload, 'ctas'));
}

function addCtas(builder: CardBuilder, value: unknown): void {
  const ctas = Array.isArray(value) ? value : [value];
  for (const cta of ctas) addCta(builder, { cta, label: 'Continue' });
}

function readForm(builder: CardBuilder, payload: JsonRecord): void {
  readHead(builder, payload, ['fields', 'submit_cta']);
  addFields(builder, own(payload, 'fields'), { place: 'A field' });
  addCta(builder, { cta: own(payload, 'submit_cta'), label: 'Submit', isPrimary: true });
}

function readReview(builder: CardBuilder, payload: JsonRecord): void {
  readHead(builder, payload, ['summary_rows', 'approve_cta', 'reject_cta']);
  addRows(builder, own(payload, 'summary_rows'));
  addCta(builder, { cta: own(payload, 'approve_cta'), label: 'Approve', isPrimary: true });
  addCta(builder, { cta: own(payload, 'reject_cta'), label: 'Reject' });
}

function addRows(builder: CardBuilder, value: unknown): void {
  for (const row of readRecords(builder, value, 'A row')) {
    const text = createTextReader(builder, row, 'A row');
    const label = text(['label']);
    const told = text(['value'], CARD_BOUNDS.textChars);
    noteUnknownKeys(builder, { record: row, known: ['label', 'value'], place: `Row "${label ?? told ?? ''}"` });
    if (label !== undefined && told !== undefined) builder.addItem({ type: 'row', label, value: told });
    else builder.addText(label ?? told);
  }
}
