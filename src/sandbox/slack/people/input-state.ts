import { isJson, type Json } from '../json.ts';
import { ImpossibleAction } from '../refusal.ts';
import type { FoundElement } from './elements.ts';

/** What a person puts in: text, a date, an id; an option by its value or its words; several of them. */
export type InputValue = string | readonly string[];

/** An element being filled in, by a client that checks what is put in or by one that does not. */
type Filling = { element: Json; isChecked: boolean };

function optionsOf(element: Json): Json[] {
  const own = Array.isArray(element.options) ? element.options : [];
  const groups = Array.isArray(element.option_groups) ? element.option_groups.filter(isJson) : [];
  return [...own, ...groups.flatMap((group) => (Array.isArray(group.options) ? group.options : []))].filter(isJson);
}

function chooseOption({ element, isChecked }: Filling, wanted: string): Json {
  const words = (option: Json) => (isJson(option.text) ? option.text.text : undefined);
  const options = optionsOf(element);
  const option = options.find((each) => each.value === wanted) ?? options.find((each) => words(each) === wanted);
  if (option !== undefined) return option;
  if (isChecked) throw new ImpossibleAction(`There is no option "${wanted}"`);
  return { text: { type: 'plain_text', text: wanted, emoji: true }, value: wanted };
}

/** What Slack's client takes as a number, an e-mail address and a link. */
const NUMBER = /^-?\d+(\.\d+)?$/;
const FORMS: Record<string, RegExp> = {
  number_input: NUMBER,
  email_text_input: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  url_text_input: /^https?:\/\/\S+$/,
};

function textState({ element, isChecked }: Filling, text: string): Json {
  if (text !== '' && isChecked) checkTyped(element, text);
  return { value: text === '' ? null : text };
}

function checkTyped(element: Json, text: string): void {
  const { min_length: min, max_length: max, type } = element;
  if (typeof min === 'number' && text.length < min) throw new ImpossibleAction(`At least ${min} characters are needed`);
  const limit = typeof max === 'number' ? max : 3_000;
  if (text.length > limit) throw new ImpossibleAction(`At most ${limit} characters fit`);
  const isOfForm = FORMS[String(type)]?.test(text) ?? true;
  if (!isOfForm) throw new ImpossibleAction(`A ${String(type)} does not take "${text}"`);
  if (type === 'number_input') checkBounds(element, text);
}

function checkBounds({ is_decimal_allowed: decimals, min_value: min, max_value: max }: Json, text: string): void {
  if (decimals === false && text.includes('.')) throw new ImpossibleAction(`"${text}" is not a whole number`);
  if (Number(text) < Number(min)) throw new ImpossibleAction(`At least ${String(min)} is needed`);
  if (Number(text) > Number(max)) throw new ImpossibleAction(`At most ${String(max)} is allowed`);
}

/** Fields that hold one picked id or date, by element type. */
const SINGLE: Record<string, string> = {
  users_select: 'selected_user',
  channels_select: 'selected_channel',
  conversations_select: 'selected_conversation',
  datepicker: 'selected_date',
  timepicker: 'selected_time',
};
const SEVERAL: Record<string, string> = {
  multi_users_select: 'selected_users',
  multi_channels_select: 'selected_channels',
  multi_conversations_select: 'selected_conversations',
};

function one(value: InputValue): string {
  if (typeof value === 'string') return value;
  throw new ImpossibleAction('Only one value fits here');
}

function filledFields(filling: Filling, value: InputValue): Json {
  const { element, isChecked } = filling;
  const type = String(element.type);
  const single = SINGLE[type];
  const several = SEVERAL[type];
  const list = typeof value === 'string' ? [value] : value;
  if (single !== undefined) return { [single]: one(value) };
  if (several !== undefined) return { [several]: list };
  if (type === 'datetimepicker') return { selected_date_time: Number(one(value)) };
  if (/^(static_select|radio_buttons|overflow)$/.test(type)) {
    return { selected_option: chooseOption(filling, one(value)) };
  }
  if (/^(multi_static_select|checkboxes)$/.test(type)) {
    const { max_selected_items: most } = element;
    if (isChecked && typeof most === 'number' && list.length > most)
      throw new ImpossibleAction(`At most ${most} can be chosen`);
    return { selected_options: list.map((wanted) => chooseOption(filling, wanted)) };
  }
  if (/_input$/.test(type) && type !== 'rich_text_input' && type !== 'file_input')
    return textState(filling, one(value));
  throw new ImpossibleAction(`The sandbox cannot fill in a ${type}`);
}

/** The state of an element after a person filled it in; unless `isChecked`, with a client that takes anything. */
export function filledState(element: Json, value: InputValue, isChecked = true): Json {
  return { type: element.type, ...filledFields({ element, isChecked }, value) };
}

/** The state of an element that nobody touched; null for elements without state, such as buttons. */
export function initialState(element: Json): Json | null {
  const type = String(element.type);
  if (/button|overflow|image/.test(type) && type !== 'radio_buttons') return null;
  if (/^(multi_static_select|checkboxes)$/.test(type)) {
    return { type, selected_options: element.initial_options ?? [] };
  }
  if (/^(static_select|radio_buttons|external_select)$/.test(type)) {
    return { type, selected_option: element.initial_option ?? null };
  }
  const single = SINGLE[type];
  const initial = single?.replace('selected', 'initial');
  if (single !== undefined && initial !== undefined) return { type, [single]: element[initial] ?? null };
  const several = SEVERAL[type];
  if (several !== undefined) return { type, [several]: element[several.replace('selected', 'initial')] ?? [] };
  if (type === 'datetimepicker') return { type, selected_date_time: element.initial_date_time ?? null };
  return { type, value: element.initial_value ?? null };
}

/** Whether a state holds an answer. */
export function isFilled(state: Json): boolean {
  const { type: _type, ...fields } = state;
  return Object.values(fields).some(
    (value) => value !== null && value !== '' && !(Array.isArray(value) && !value.length),
  );
}

/** `state.values` of a surface: what was filled in, else the initial values. */
export function stateValues(elements: readonly FoundElement[], filled: ReadonlyMap<string, Json>): Json {
  const values: Record<string, Json> = {};
  for (const { blockId, element } of elements) {
    const actionId = String(element.action_id);
    const state = filled.get(`${blockId}/${actionId}`) ?? initialState(element);
    if (state !== null) values[blockId] = { ...values[blockId], [actionId]: state };
  }
  return values;
}
