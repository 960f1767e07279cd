import type { InputBlockElement, PlainTextOption } from '@slack/types';
import { plain } from './blocks.ts';
import { LIMITS } from './limits.ts';
import { plainText } from './text/escape.ts';

/** Slack draws at most ten radio buttons or check boxes. */
const MAX_DRAWN = 10;

/** One entry to choose; its value is its place in the list. Texts are of others, and neither is blank. */
export type Entry = { text: string; detail: string | null };

/** Entries that can be chosen in one input: Slack would take 10,000, but the view has to stay below its size limit. */
export const MAX_ENTRIES = 200;

/**
 * An input that chooses among entries: radio buttons or check boxes for a few, a menu for many, a grouped menu for more
 * than a hundred. An optional single choice is always a menu, because a radio button cannot be undone.
 */
export function chooser(input: {
  actionId: string;
  entries: readonly Entry[];
  isMulti: boolean;
  isRequired: boolean;
}): InputBlockElement {
  const { actionId: action_id, isMulti } = input;
  const options = input.entries.slice(0, MAX_ENTRIES).map(toOption);
  if (isMulti) {
    if (options.length <= MAX_DRAWN) return { type: 'checkboxes', action_id, options };
    return { type: 'multi_static_select', action_id, ...menuOptions(options) };
  }
  if (options.length <= MAX_DRAWN && input.isRequired) return { type: 'radio_buttons', action_id, options };
  return { type: 'static_select', action_id, ...menuOptions(options) };
}

/** Whether an entry's text is cut in the input, so that it has to be shown in full beside it. */
export function isEntryCut({ text, detail }: Entry): boolean {
  const max = LIMITS.select.optionText;
  return plainText(text).length > max || (detail !== null && plainText(detail).length > max);
}

function toOption({ text, detail }: Entry, index: number): PlainTextOption {
  const description = detail === null ? {} : { description: plain(detail, LIMITS.select.optionText) };
  return { text: plain(text, LIMITS.select.optionText), value: String(index), ...description };
}

type MenuOptions = { options: PlainTextOption[] } | { option_groups: { label: Text; options: PlainTextOption[] }[] };
type Text = ReturnType<typeof plain>;

function menuOptions(options: PlainTextOption[]): MenuOptions {
  const size = LIMITS.select.options;
  if (options.length <= size) return { options };
  const groups = [];
  for (let from = 0; from < options.length; from += size) {
    const part = options.slice(from, from + size);
    groups.push({ label: plain(`${from + 1} to ${from + part.length}`, LIMITS.select.optionText), options: part });
  }
  return { option_groups: groups };
}
