import { isDeepStrictEqual } from 'node:util';
import { isJson, type Json } from '../json.ts';
import { checkText } from './composition.ts';
import { below, checkString, report, type Spot } from './report.ts';

/** Checks the greyed-out words in an input or a select (slack.md 3.3). */
export function checkPlaceholder(element: Json, spot: Spot): void {
  checkText(element.placeholder, below(spot, 'placeholder'), { max: 150, plain: true, required: false });
}

/** Checks an e-mail or URL input. */
export function checkLineInput(element: Json, spot: Spot): void {
  checkPlaceholder(element, spot);
  checkString(element.initial_value, below(spot, 'initial_value'), { max: 3_000 });
}

/** Checks a text input. */
export function checkTextInput(element: Json, spot: Spot): void {
  checkLineInput(element, spot);
  const { min_length: min, max_length: max } = element;
  for (const [field, value, least] of [
    ['min_length', min, 0],
    ['max_length', max, 1],
  ] as const) {
    if (value !== undefined && !(typeof value === 'number' && value >= least && value <= 3_000)) {
      report(below(spot, field), `must be a number from ${least} to 3000`);
    }
  }
  if (Number(min) > Number(max)) report(below(spot, 'min_length'), 'must not be more than max_length');
}

/** Checks a number input: bounds and initial value are numbers in strings, `is_decimal_allowed` is required. */
export function checkNumberInput(element: Json, spot: Spot): void {
  checkPlaceholder(element, spot);
  if (typeof element.is_decimal_allowed !== 'boolean') {
    report(below(spot, 'is_decimal_allowed'), 'missing required field: is_decimal_allowed');
  }
  for (const field of ['min_value', 'max_value', 'initial_value']) {
    const value = element[field];
    const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
    if (value !== undefined && !isNumber) report(below(spot, field), 'must be a number in a string');
  }
  if (Number(element.min_value) > Number(element.max_value)) {
    report(below(spot, 'min_value'), 'must not be more than max_value');
  }
}

function optionsIn(element: Json): unknown[] {
  const groups = Array.isArray(element.option_groups) ? element.option_groups.filter(isJson) : [element];
  return groups.flatMap(({ options }) => (Array.isArray(options) ? options : []));
}

/** Checks that what is chosen from the start is one of the options, word for word. */
export function checkInitialOptions(element: Json, spot: Spot): void {
  const options = optionsIn(element);
  const { initial_option: one, initial_options: several = [] } = element;
  const isOption = (initial: unknown) => options.some((option) => isDeepStrictEqual(option, initial));
  if (one !== undefined && !isOption(one)) report(below(spot, 'initial_option'), 'must be one of the options');
  if (!Array.isArray(several)) report(below(spot, 'initial_options'), 'must be an array');
  else if ('initial_options' in element && several.length === 0) {
    report(below(spot, 'initial_options'), 'no fewer than 1 items required');
  } else if (!several.every(isOption)) report(below(spot, 'initial_options'), 'must be some of the options');
}
