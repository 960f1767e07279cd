import { stripVTControlCharacters } from 'node:util';

/** How the lines of the thread are dressed for their reader. */
export type Look = {
  strong(text: string): string;
  faint(text: string): string;
  /** Dresses a drawn line by what is in it: marks, buttons, Markdown. */
  line(text: string): string;
  /** Breaks what is too wide for the terminal; what goes on is indented by so many columns. */
  fit(text: string, indent: number): string;
};

const same = (text: string) => text;

/** For files, pipes and tests: every line as it is. */
export const PLAIN: Look = { strong: same, faint: same, line: same, fit: same };

/** Below this width a line is left to the terminal. */
const NARROWEST = 40;

const style = (open: number, close: number) => (text: string) => `\x1b[${open}m${text}\x1b[${close}m`;
const bold = style(1, 22);
const faint = style(2, 22);
const italic = style(3, 23);
const red = style(31, 39);
const green = style(32, 39);
const yellow = style(33, 39);
const cyan = style(36, 39);

/** For a terminal: colours unless it has none or `NO_COLOR` is set, and lines no wider than it is. */
export function createTerminalLook(terminal: { readonly columns: number; hasColors(): boolean }): Look {
  const dress = terminal.hasColors() ? { strong: bold, faint, line: dressLine } : PLAIN;
  return { ...dress, fit: (text, indent) => breakLine(text, { indent, columns: terminal.columns }) };
}

const STATES: Array<[RegExp, (text: string) => string]> = [
  [/^(Queued|Going on|Working)(?= ·)/, (state) => bold(cyan(state))],
  [/^Waiting for (an answer|approval)(?= ·)/, (state) => bold(yellow(state))],
  [/^Done(?= ·)/, (state) => bold(green(state))],
  [/^(Failed|Stopped|Expired without an? (?:answer|decision)|Interrupted|Closed)(?= ·)/, (state) => bold(red(state))],
  [/^(A question for|A card for|A payment needs approval).*/, (state) => bold(yellow(state))],
  [/^✓/, green],
  [/^▸/, cyan],
  [/^✗/, red],
];

function dressLine(line: string): string {
  const heading = /^#+ (.*)/.exec(line)?.[1];
  if (heading !== undefined) return bold(heading);
  if (/^(```|\| :?-)/.test(line)) return faint(line);
  const state = STATES.find(([pattern]) => pattern.test(line));
  const dressed = dressMarkup(line);
  return state ? dressed.replace(...state) : dressed;
}

/** Bold, italics, code, links and buttons. In a row of a table, what the marks took stays as room. */
function dressMarkup(line: string): string {
  const isRow = line.startsWith('|');
  return line
    .replace(/\[([^\]]+)\](\(([^)\s]+)\))?/g, (button, words: string, _link, url?: string) =>
      url === undefined ? cyan(button) : `${words} ${faint(`(${url})`)}`,
    )
    .replace(/\*\*([^*]+)\*\*/g, (_whole, words: string) => bold(words) + (isRow ? '    ' : ''))
    .replace(/(?<!\*)\*([^*]+)\*(?!\*)/g, (_whole, words: string) => italic(words) + (isRow ? '  ' : ''))
    .replace(/`([^`]+)`/g, (_whole, words: string) => cyan(words) + (isRow ? '  ' : ''));
}

/** Breaks at spaces. The rows of a table stay whole. */
function breakLine(text: string, { indent, columns }: { indent: number; columns: number }): string {
  const width = (part: string) => stripVTControlCharacters(part).length;
  const isRow = stripVTControlCharacters(text).startsWith('|', indent);
  if (columns < NARROWEST || isRow || width(text) <= columns) return text;
  const [first = '', ...words] = text.split(' ');
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    const longer = `${line} ${word}`;
    if (line.trim() === '' || width(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = `${' '.repeat(indent)}${word}`;
    }
  }
  return [...lines, line].join('\n');
}
