import { isRecord, type JsonRecord, own } from '../values/json-record.ts';
import { CARD_BOUNDS, type CardBuilder, createTextReader, noteUnknownKeys, readCardText } from './card-builder.ts';
import { addCta, isTrue } from './card-choices.ts';
import { addField } from './card-fields.ts';

/**
 * Adds the element tree of a custom card (docs.agentverse.ai, element-tree primitives), in reading order. Its depth is
 * bounded before (`cardSizeProblem`), so the walk may recurse.
 */
export function addTree(builder: CardBuilder, payload: JsonRecord): void {
  const root = own(payload, 'root');
  if (root !== undefined) builder.setTitle(readCardText(own(payload, 'title')));
  addNode(builder, root ?? payload);
}

function addNode(builder: CardBuilder, node: unknown): void {
  if (!isRecord(node)) {
    addBareText(builder, node);
    return;
  }
  const type = readCardText(own(node, 'type'))?.trim().toLowerCase() ?? 'group';
  const known = NODES.get(type);
  if (known === undefined) {
    builder.misread(`An element of type "${type}"`);
    addChildren(builder, node);
    return;
  }
  if (known.keys !== null) {
    noteUnknownKeys(builder, { record: node, known: ['type', ...known.keys], place: `An element of type "${type}"` });
  }
  known.read(builder, node);
}

function addBareText(builder: CardBuilder, node: unknown): void {
  const text = readCardText(node, CARD_BOUNDS.textChars);
  if (text === undefined) builder.misread('An element');
  builder.addText(text);
}

/** What reads an element, and the keys that it reads; null where the reader looks after its keys itself. */
type NodeReader = { read: (builder: CardBuilder, node: JsonRecord) => void; keys: readonly string[] | null };

const NODES = new Map<string, NodeReader>([
  ['text', { read: addTextNode, keys: ['value', 'text', 'style'] }],
  ['heading', { read: addHeading, keys: ['value', 'text', 'level'] }],
  ['image', { read: addImageNode, keys: ['src', 'url', 'alt', 'aspect_ratio'] }],
  ['badge', { read: addBadge, keys: ['label', 'variant'] }],
  ['divider', { read: (builder) => builder.addItem({ type: 'divider' }), keys: [] }],
  ['section', { read: addSection, keys: ['title', 'subtitle', 'children'] }],
  ['group', { read: addChildren, keys: ['direction', 'gap', 'children'] }],
  ['button', { read: (builder, node) => addCta(builder, { cta: node, label: 'Continue' }), keys: null }],
  ['input', { read: (builder, node) => addField(builder, { record: node, place: 'An input' }), keys: null }],
  ['list', { read: addList, keys: ['items'] }],
  ['choice_grid', { read: addChoiceGrid, keys: null }],
]);

function addTextNode(builder: CardBuilder, node: JsonRecord): void {
  builder.addText(createTextReader(builder, node, 'A text')(['value', 'text'], CARD_BOUNDS.textChars));
}

function addHeading(builder: CardBuilder, node: JsonRecord): void {
  const text = createTextReader(builder, node, 'A heading')(['value', 'text']);
  if (text !== undefined) builder.addItem({ type: 'heading', text });
}

function addImageNode(builder: CardBuilder, node: JsonRecord): void {
  builder.addImage(own(node, 'src') ?? own(node, 'url'), readCardText(own(node, 'alt')));
}

function addBadge(builder: CardBuilder, node: JsonRecord): void {
  builder.addText(createTextReader(builder, node, 'A badge')(['label']));
}

function addSection(builder: CardBuilder, node: JsonRecord): void {
  const text = createTextReader(builder, node, 'A section');
  const title = text(['title']);
  if (title !== undefined) builder.addItem({ type: 'heading', text: title });
  builder.addText(text(['subtitle'], CARD_BOUNDS.textChars));
  addChildren(builder, node);
}

function addChildren(builder: CardBuilder, node: JsonRecord): void {
  const children = own(node, 'children');
  if (children === undefined || children === null) return;
  for (const child of Array.isArray(children) ? children : [children]) addNode(builder, child);
}

/** A list's item with an action is a choice, as a button is, called by the first words of the item. */
function addList(builder: CardBuilder, node: JsonRecord): void {
  const items = own(node, 'items');
  for (const item of Array.isArray(items) ? items : [items]) {
    if (!isRecord(item)) {
      addNode(builder, item);
      continue;
    }
    noteUnknownKeys(builder, { record: item, known: ['type', 'children', 'action'], place: 'An item of a list' });
    addChildren(builder, item);
    const action = own(item, 'action');
    const detail = firstWords(own(item, 'children'));
    if (isRecord(action)) addCta(builder, { cta: { action }, label: 'Select', detail });
    else if (action !== undefined && action !== null) builder.misread('An item of a list: its action');
  }
}

function firstWords(children: unknown): string | undefined {
  for (const child of Array.isArray(children) ? children : [children]) {
    if (!isRecord(child)) continue;
    const texts = ['value', 'text', 'title', 'label'].map((key) => readCardText(own(child, key)));
    const words = texts.find((text) => text !== undefined) ?? firstWords(own(child, 'children') ?? []);
    if (words !== undefined) return words;
  }
  return undefined;
}

function addChoiceGrid(builder: CardBuilder, node: JsonRecord): void {
  const isMulti = isTrue(own(node, 'multi')) ?? false;
  const choices = own(node, 'choices');
  for (const choice of Array.isArray(choices) ? choices : []) {
    if (!isRecord(choice)) continue;
    builder.addImage(own(choice, 'image'), readCardText(own(choice, 'label')) ?? readCardText(own(choice, 'value')));
  }
  addField(builder, { record: node, place: 'A choice grid', kind: isMulti ? 'multi_select' : 'select' });
}
