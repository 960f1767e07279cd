import { alignTables } from './table-lines.ts';

/** The part of a Slack message that is drawn. Blocks are Block Kit JSON. */
export type DrawnMessage = { text: string; blocks: readonly object[]; files?: ReadonlyArray<{ name: string }> };

type Fields = Record<string, unknown>;

const MARKS: Record<string, string> = { pending: '○', in_progress: '▸', complete: '✓', error: '✗' };

/** Draws a message as lines of plain text. `nameOf` turns a user id into a name. */
export function messageLines(message: DrawnMessage, nameOf: (userId: string) => string): string[] {
  const drawn = message.blocks.map(fields).flatMap((block) => {
    const lines = blockLines(block);
    return block.type === 'markdown' ? lines : lines.filter((line) => line.trim() !== '');
  });
  const files = (message.files ?? []).map((file) => `(file ${file.name})`);
  const lines = [...(drawn.length > 0 ? drawn : message.text.split('\n')), ...files];
  return alignTables(lines.map((line) => readMarkup(line, nameOf).trimEnd()));
}

/**
 * The lines of an edited message that say something new. A line that differs only in a span of time (`12 s`) does
 * not: it would repeat itself at every edit.
 */
export function changedLines(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before.map(withoutTimes));
  return after.filter((line) => !known.has(withoutTimes(line)));
}

function withoutTimes(line: string): string {
  return line.replace(/(\d+ (s|min|h)\b ?)+/g, '');
}

/** Draws a modal in few lines: its title, a line per input, and its button. What is to be read stands on the card too. */
export function modalLines(view: Readonly<Record<string, unknown>>): string[] {
  const inputs = list(view.blocks).filter((block) => block.type === 'input');
  const lines = [`a window opens: ${textOf(view.title)}`, ...inputs.flatMap(blockLines)];
  return view.submit === undefined ? lines : [...lines, `[${textOf(view.submit)}]`];
}

function blockLines(block: Fields): string[] {
  switch (block.type) {
    case 'section':
      return sectionLines(block);
    case 'image':
      return [imageText(block)];
    case 'input':
      return [inputLine(block)];
    case 'plan':
      return list(block.tasks).flatMap(blockLines);
    case 'task_card':
      return [taskLine(block)];
    case 'actions':
      return [list(block.elements).map(buttonLabel).join(' ')];
    case 'context':
      return list(block.elements)
        .map((element) => (element.type === 'image' ? imageText(element) : textOf(element.text)))
        .join(' ')
        .split('\n');
    case 'rich_text':
      return richText(block).split('\n');
    case 'markdown':
      return textOf(block.text).split('\n');
    case 'divider':
      return [];
    default:
      return withoutBold(textOf(block.text)).split('\n');
  }
}

/** The text of a section, its fields two and two as its columns have them, and what stands beside it. */
function sectionLines({ text, fields: columns, accessory }: Fields): string[] {
  const cells = list(columns).map((cell) => withoutBold(textOf(cell)).replaceAll('\n', ' '));
  const rows = cells.flatMap((cell, at) => (at % 2 === 0 ? [[cell, cells[at + 1] ?? ''].join(': ')] : []));
  const beside = fields(accessory);
  const last = beside.type === 'image' ? [imageText(beside)] : accessory === undefined ? [] : [buttonLabel(beside)];
  return [...(text === undefined ? [] : withoutBold(textOf(text)).split('\n')), ...rows, ...last];
}

function imageText({ alt_text: alt }: Fields): string {
  return `(image: ${textOf(alt)})`;
}

const MOST_OPTIONS = 5;

/** What an input is for, and what there is to choose from, or room to write. */
function inputLine({ label, element, optional }: Fields): string {
  const { options, option_groups: groups } = fields(element);
  const all = [...list(options), ...list(groups).flatMap((group) => list(group.options))];
  const shown = all.slice(0, MOST_OPTIONS).map((option) => `( ) ${textOf(option.text)}`);
  const more = all.length > MOST_OPTIONS ? [`and ${all.length - MOST_OPTIONS} more`] : [];
  const choice = all.length === 0 ? '____' : [...shown, ...more].join('  ');
  return `${textOf(label)}${optional === true ? ' (optional)' : ''}: ${choice}`;
}

function taskLine(task: Fields): string {
  const details = richText(fields(task.details));
  const mark = MARKS[String(task.status)] ?? '·';
  return `${mark} ${textOf(task.title)}${details === '' ? '' : ` – ${details.replaceAll('\n', ' ')}`}`;
}

function buttonLabel(element: Fields): string {
  return `[${textOf(element.text) || textOf(element.placeholder)}]`;
}

/** Slack draws `*words*` in bold, without the asterisks. */
function withoutBold(mrkdwn: string): string {
  return mrkdwn.replace(/\*([^*\n]+)\*/g, '$1');
}

/** All text inside a rich text block, one line per part. */
function richText(node: Fields): string {
  if (typeof node.text === 'string') return node.text;
  if (node.type === 'user') return `<@${String(node.user_id)}>`;
  if (node.type === 'link') return String(node.url);
  const separator = node.type === 'rich_text' || node.type === 'rich_text_list' ? '\n' : '';
  return list(node.elements).map(richText).join(separator);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String(fields(value).text ?? '');
}

function readMarkup(line: string, nameOf: (userId: string) => string): string {
  return line
    .replace(/<@([UW][A-Z0-9]+)>/g, (_whole, id: string) => `@${nameOf(id)}`)
    .replace(/<!date\^(\d+)\^[^|>]*\|[^>]*>/g, (_whole, seconds: string) => clockTime(Number(seconds) * 1_000))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

/** The time of day here, as Slack shows a date token to each reader: `14:05`. */
function clockTime(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

function fields(value: unknown): Fields {
  // Any object may be looked at by key; what is found is checked where it is used.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
