type Fields = Record<string, unknown>;

/** What goes into an input of each kind that a person would type into; anything else is text. */
const TYPED: Record<string, string> = { number_input: '2', email_text_input: 'alice@example.com' };
const WORDS = 'Whatever you think is best';

/** What a person who is not particular puts into a modal, by block id: the first option, or something of the right kind. */
export function fillModal(view: Readonly<Fields>): Record<string, string | string[]> {
  const required = list(view.blocks).filter((block) => block.type === 'input' && block.optional !== true);
  return Object.fromEntries(required.map((block) => [String(block.block_id), valueFor(fields(block.element))]));
}

function valueFor(element: Fields): string | string[] {
  const groups = list(element.option_groups).flatMap((group) => list(group.options));
  const [first] = [...list(element.options), ...groups];
  const type = String(element.type);
  if (first === undefined) return TYPED[type] ?? WORDS;
  const value = String(first.value);
  return type === 'checkboxes' || type.startsWith('multi_') ? [value] : value;
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

function fields(value: unknown): Fields {
  // Any object may be looked at by key; what is found is checked where it is used.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
