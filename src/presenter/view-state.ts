/** What one input of a submitted modal holds. Source: docs.slack.dev, view submission payloads, `view.state.values`. */
export type InputPlace = { blockId: string; inputId: string };

/** The text typed into an input, trimmed; empty when there is none. */
export function typedText(state: unknown, place: InputPlace): string {
  const value = at(inputAt(state, place), 'value');
  return typeof value === 'string' ? value.trim() : '';
}

/** The values chosen in a menu, radio buttons or check boxes. */
export function chosenValues(state: unknown, place: InputPlace): string[] {
  const input = inputAt(state, place);
  const several = at(input, 'selected_options');
  const options = Array.isArray(several) ? several : [at(input, 'selected_option')];
  return options.map((option) => at(option, 'value')).filter((value) => typeof value === 'string');
}

/** The chosen entries of a `chooser` as indexes below `count`; null if one of them is none of its entries. */
export function chosenIndexes(state: unknown, place: InputPlace & { count: number }): number[] | null {
  const values = chosenValues(state, place);
  const indexes = values.filter((value) => /^\d{1,5}$/.test(value)).map(Number);
  return indexes.length === values.length && indexes.every((index) => index < place.count) ? indexes : null;
}

function inputAt(state: unknown, { blockId, inputId }: InputPlace): unknown {
  return at(at(at(state, 'values'), blockId), inputId);
}

function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
