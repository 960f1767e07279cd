import { isJson } from '../json.ts';
import {
  below,
  checkKeys,
  checkList,
  checkString,
  checkUnique,
  checkUrl,
  checkWord,
  report,
  type Spot,
} from './report.ts';

type TextRule = { max: number; plain?: boolean; required?: boolean };

/** Checks a text object: `plain_text`, or `mrkdwn` too unless `plain`. */
export function checkText(value: unknown, spot: Spot, rule: TextRule): void {
  if (value === undefined) {
    if (rule.required !== false) report(spot, `missing required field: ${spot.pointer.split('/').at(-1)}`);
    return;
  }
  if (!isJson(value)) {
    report(spot, 'must be a text object');
    return;
  }
  checkWord(value.type ?? null, below(spot, 'type'), rule.plain === true ? ['plain_text'] : ['plain_text', 'mrkdwn']);
  checkKeys(value, spot, ['type', 'text', value.type === 'mrkdwn' ? 'verbatim' : 'emoji']);
  checkString(value.text, below(spot, 'text'), { max: rule.max, required: true });
}

/** Checks a confirmation dialog (slack.md 3.3). */
export function checkConfirm(value: unknown, spot: Spot): void {
  if (value === undefined) return;
  if (!isJson(value)) {
    report(spot, 'must be a confirmation dialog');
    return;
  }
  checkKeys(value, spot, ['title', 'text', 'confirm', 'deny', 'style']);
  checkText(value.title, below(spot, 'title'), { max: 100, plain: true, required: false });
  checkText(value.text, below(spot, 'text'), { max: 300 });
  checkText(value.confirm, below(spot, 'confirm'), { max: 30, plain: true, required: false });
  checkText(value.deny, below(spot, 'deny'), { max: 30, plain: true, required: false });
  checkWord(value.style, below(spot, 'style'), ['primary', 'danger']);
}

/** `links`: whether an option may lead somewhere, which only an overflow menu's can. */
type OptionRule = { max: number; plain: boolean; links?: boolean };

/** Checks the options of a select, a radio group, check boxes or an overflow menu. */
export function checkOptions(value: unknown, spot: Spot, rule: OptionRule): void {
  const options = checkList(value, spot, rule);
  options.forEach((option, index) => {
    const at = below(spot, index);
    checkKeys(option, at, ['text', 'value', 'description', ...(rule.links === true ? ['url'] : [])]);
    checkText(option.text, below(at, 'text'), { max: 75, plain: rule.plain });
    checkString(option.value, below(at, 'value'), { max: 150, required: true });
    checkText(option.description, below(at, 'description'), { max: 75, plain: rule.plain, required: false });
    checkUrl(option.url, below(at, 'url'), { max: 3_000 });
  });
  const values = options.map((option) => option.value);
  checkUnique(values, spot, 'value');
}

/** Checks `options` or `option_groups` of a static select: exactly one of them. */
export function checkOptionSource(element: Record<string, unknown>, spot: Spot): void {
  const { options, option_groups: groups } = element;
  if ((options === undefined) === (groups === undefined)) {
    report(spot, 'needs options or option_groups');
    return;
  }
  if (options !== undefined) {
    checkOptions(options, below(spot, 'options'), { max: 100, plain: true });
    return;
  }
  checkList(groups, below(spot, 'option_groups'), { max: 100 }).forEach((group, index) => {
    const at = below(spot, 'option_groups', index);
    checkKeys(group, at, ['label', 'options']);
    checkText(group.label, below(at, 'label'), { max: 75, plain: true });
    checkOptions(group.options, below(at, 'options'), { max: 100, plain: true });
  });
}
