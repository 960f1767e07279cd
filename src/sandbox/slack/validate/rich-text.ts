import { isJson, type Json } from '../json.ts';
import { below, checkKeys, checkList, checkString, checkWord, report, type Spot } from './report.ts';

const MAX_ELEMENTS = 10_000;
const CONTAINERS = ['rich_text_section', 'rich_text_list', 'rich_text_quote', 'rich_text_preformatted'];
/** Inline elements with the field that each must have. */
const INLINE: Record<string, string> = {
  text: 'text',
  link: 'url',
  emoji: 'name',
  user: 'user_id',
  channel: 'channel_id',
  usergroup: 'usergroup_id',
  team: 'team_id',
  broadcast: 'range',
  color: 'value',
  date: 'timestamp',
};

function checkInline(element: Json, spot: Spot): void {
  const field = INLINE[String(element.type)];
  if (field === undefined) {
    report(spot, `unsupported type: ${String(element.type)}`);
    return;
  }
  if (element[field] === undefined) report(spot, `missing required field: ${field}`);
  if (field === 'text') checkString(element.text, below(spot, 'text'), { required: true });
}

function checkContainer(container: Json, spot: Spot): void {
  const type = String(container.type);
  if (!CONTAINERS.includes(type)) {
    report(spot, `unsupported type: ${type}`);
    return;
  }
  const isList = type === 'rich_text_list';
  checkKeys(container, spot, [
    'type',
    'elements',
    'border',
    ...(isList ? ['style', 'indent', 'offset'] : ['language']),
  ]);
  if (isList) checkWord(container.style ?? null, below(spot, 'style'), ['bullet', 'ordered']);
  checkList(container.elements, below(spot, 'elements'), { min: 0, max: MAX_ELEMENTS }).forEach((child, index) => {
    const at = below(spot, 'elements', index);
    if (isList) checkContainer(child, at);
    else checkInline(child, at);
  });
}

/** Checks a `rich_text` block object; a string in its place is refused, as Slack does in task cards. */
export function checkRichText(value: unknown, spot: Spot): void {
  if (!isJson(value) || value.type !== 'rich_text') {
    report(spot, 'must be a rich_text object');
    return;
  }
  checkKeys(value, spot, ['type', 'block_id', 'elements']);
  checkList(value.elements, below(spot, 'elements'), { min: 0, max: MAX_ELEMENTS }).forEach((container, index) => {
    checkContainer(container, below(spot, 'elements', index));
  });
}
