import { isJson, type Json } from '../json.ts';
import { checkConfirm, checkOptionSource, checkOptions, checkText } from './composition.ts';
import { checkInitialOptions, checkLineInput, checkNumberInput, checkPlaceholder, checkTextInput } from './inputs.ts';
import { below, checkKeys, checkString, checkUrl, checkWord, report, type Spot } from './report.ts';

type ElementRule = { keys: readonly string[]; check: (element: Json, spot: Spot) => void };

const PLACEHOLDER = ['placeholder', 'focus_on_load'];

function checkButton(element: Json, spot: Spot): void {
  checkText(element.text, below(spot, 'text'), { max: 75, plain: true });
  checkString(element.value, below(spot, 'value'), { max: 2_000 });
  checkUrl(element.url, below(spot, 'url'), { max: 3_000 });
  checkWord(element.style, below(spot, 'style'), ['primary', 'danger']);
  checkString(element.accessibility_label, below(spot, 'accessibility_label'), { max: 75 });
}

function checkFeedback(element: Json, spot: Spot): void {
  for (const field of ['positive_button', 'negative_button']) {
    const button = element[field];
    const at = below(spot, field);
    if (!isJson(button)) report(at, `missing required field: ${field}`);
    else {
      checkKeys(button, at, ['text', 'value', 'accessibility_label']);
      checkText(button.text, below(at, 'text'), { max: 75, plain: true });
      checkString(button.value, below(at, 'value'), { max: 2_000, required: true });
    }
  }
}

function checkImage(element: Json, spot: Spot): void {
  checkString(element.alt_text, below(spot, 'alt_text'), { max: 2_000, required: true });
  checkUrl(element.image_url, below(spot, 'image_url'), { max: 3_000, isWeb: true });
  if ((element.image_url === undefined) === (element.slack_file === undefined)) {
    report(spot, 'needs image_url or slack_file');
  }
}

function optionsRule(max: number, kind: 'choices' | 'menu' = 'choices'): ElementRule['check'] {
  return (element, spot) => {
    const isMenu = kind === 'menu';
    checkOptions(element.options, below(spot, 'options'), { max, plain: isMenu, links: isMenu });
    checkInitialOptions(element, spot);
  };
}

function checkSelect(element: Json, spot: Spot): void {
  checkPlaceholder(element, spot);
  const { max_selected_items: most } = element;
  if (most !== undefined && !(Number.isInteger(most) && Number(most) >= 1)) {
    report(below(spot, 'max_selected_items'), 'must be a whole number from 1');
  }
  if (!String(element.type).includes('static')) return;
  checkOptionSource(element, spot);
  checkInitialOptions(element, spot);
}

const INPUT_KEYS = [...PLACEHOLDER, 'initial_value', 'dispatch_action_config'];
const SELECT_KEYS = [
  ...PLACEHOLDER,
  'confirm',
  'max_selected_items',
  'response_url_enabled',
  'filter',
  'options',
].concat(
  ['option_groups', 'min_query_length', 'default_to_current_conversation', 'initial_option', 'initial_options'],
  ['user', 'channel', 'conversation'].flatMap((kind) => [`initial_${kind}`, `initial_${kind}s`]),
);
const DATE_KEYS = [...PLACEHOLDER, 'confirm', 'initial_date', 'initial_time', 'initial_date_time', 'timezone'];
const SELECT: ElementRule = { keys: SELECT_KEYS, check: checkSelect };
const DATE: ElementRule = { keys: DATE_KEYS, check: checkPlaceholder };
const TEXT_INPUT: ElementRule = {
  keys: [...INPUT_KEYS, 'multiline', 'min_length', 'max_length'],
  check: checkTextInput,
};

/** Every interactive element of Block Kit with its own fields (limits: slack.md 3.3). */
const RULES: Record<string, ElementRule> = {
  button: { keys: ['text', 'value', 'url', 'style', 'confirm', 'accessibility_label'], check: checkButton },
  workflow_button: { keys: ['text', 'workflow', 'style', 'confirm', 'accessibility_label'], check: checkButton },
  icon_button: {
    keys: ['icon', 'text', 'value', 'confirm', 'accessibility_label', 'visible_to_user_ids'],
    check: checkButton,
  },
  feedback_buttons: { keys: ['positive_button', 'negative_button'], check: checkFeedback },
  overflow: { keys: ['options', 'confirm'], check: optionsRule(5, 'menu') },
  checkboxes: { keys: ['options', 'initial_options', 'confirm', 'focus_on_load'], check: optionsRule(10) },
  radio_buttons: { keys: ['options', 'initial_option', 'confirm', 'focus_on_load'], check: optionsRule(10) },
  datepicker: DATE,
  timepicker: DATE,
  datetimepicker: DATE,
  plain_text_input: TEXT_INPUT,
  email_text_input: { keys: INPUT_KEYS, check: checkLineInput },
  url_text_input: { keys: INPUT_KEYS, check: checkLineInput },
  number_input: { keys: [...INPUT_KEYS, 'is_decimal_allowed', 'min_value', 'max_value'], check: checkNumberInput },
  rich_text_input: { keys: [...INPUT_KEYS, 'min_lines', 'max_lines'], check: checkPlaceholder },
  file_input: { keys: ['filetypes', 'max_files'], check: () => {} },
};

function ruleOf(type: string): ElementRule | undefined {
  if (/^(multi_)?(static|users|conversations|channels|external)_select$/.test(type)) return SELECT;
  return RULES[type];
}

const PICKERS = ['datepicker', 'timepicker', 'datetimepicker', 'checkboxes', 'radio_buttons'];
const SELECTS = ['', 'multi_'].flatMap((prefix) =>
  ['static', 'users', 'conversations', 'channels', 'external'].map((kind) => `${prefix}${kind}_select`),
);
const TEXT_INPUTS = ['plain_text_input', 'email_text_input', 'url_text_input', 'number_input', 'rich_text_input'];

/** Which elements may stand where. */
export const ALLOWED = {
  actions: ['button', 'workflow_button', 'overflow', 'rich_text_input', ...PICKERS, ...SELECTS],
  accessory: ['button', 'workflow_button', 'overflow', 'image', ...PICKERS, ...SELECTS],
  input: [...TEXT_INPUTS, 'file_input', ...PICKERS, ...SELECTS],
  contextActions: ['feedback_buttons', 'icon_button'],
  card: ['button'],
} as const;

/** Checks one element in its place. */
export function checkElement(element: unknown, spot: Spot, place: keyof typeof ALLOWED): void {
  if (!isJson(element)) {
    report(spot, 'must be an object');
    return;
  }
  const type = String(element.type);
  const allowed: readonly string[] = ALLOWED[place];
  if (!allowed.includes(type)) {
    report(spot, `unsupported type: ${type}`);
    return;
  }
  if (type === 'image') {
    checkImageElement(element, spot);
    return;
  }
  const rule = ruleOf(type);
  if (rule === undefined) {
    report(spot, `unsupported type: ${type}`);
    return;
  }
  checkKeys(element, spot, ['type', 'action_id', ...rule.keys]);
  checkString(element.action_id, below(spot, 'action_id'), { max: 255 });
  checkConfirm(element.confirm, below(spot, 'confirm'));
  rule.check(element, spot);
}

/** Checks an image as an element of a section, a context or a card. */
export function checkImageElement(element: Json, spot: Spot): void {
  checkKeys(element, spot, ['type', 'image_url', 'slack_file', 'alt_text']);
  checkImage(element, spot);
}
