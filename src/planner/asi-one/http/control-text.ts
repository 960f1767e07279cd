import { type SplitSelection, splitSelection } from './split-selection.ts';

/**
 * Makes control text harmless (contract C38).
 *
 * ASI:One's own chat window confirms a payment by sending the agent the text `<stripe:payment_id:…:CONFIRM>`. The same
 * text in a user's message or an agent's reply must never go out as if the bot had confirmed. It is looked for in a
 * folded copy (no invisible characters, full-width forms made plain), and rewritten in place, so that all other text
 * stays exactly as it was.
 */

/**
 * How a payment's control text begins, with the rest of it where that is in sight. Agents look for this beginning and
 * take nearly anything after it, so that it is never left standing.
 */
const OPENING =
  /(?:<|&lt;|&#60;)\s*([\p{L}\w-]{1,40}\s*:\s*(?:payment|checkout|transaction)[ _-]?(?:session[ _-]?)?id\s*:(?:[^<>]{0,300}:\s*\w{1,40}(?=\s*(?:>|&gt;|&#62;)))?)(?:\s*(?:>|&gt;|&#62;))?/giu;

/** Other control text: a bracketed list of three parts or more, without what code, attributes or URLs need. */
const BRACKETED =
  /(?:<|&lt;|&#60;)([^<>&:/{}()[\]=,;"'`]{1,200}(?::[^<>&:/{}()[\]=,;"'`]{1,200}){2,9})(?:>|&gt;|&#62;)/giu;

/** A payment's control text without its brackets. */
const BARE =
  /(?<![\w:/.-])([a-z][\w-]{0,40}:(?:payment|checkout|transaction)_?(?:session_?)?id:[^\s:<>]{1,200}:[a-z_]{3,40})\b/giu;

const KNOWN_RAILS = /^(?:stripe|skyfire|fet|fetdirect|payment|checkout|paypal)$/;
const KNOWN_FIELDS = /^(?:payment|checkout|checkoutsession|transaction|card|order)id$/;
const KNOWN_ACTIONS =
  /^(?:confirm|confirmed|approve|approved|accept|commit|complete|completed|pay|paid|reject|decline|deny|cancel)$/;

/**
 * The text with every piece of control text rewritten as words; text without any is returned as it is. The selection
 * that an answer to a card ends with is rewritten value by value, so that agents can still read it.
 */
export function neutraliseControlText(text: string): string {
  const selection = splitSelection(text);
  if (selection === null) return neutralise(text);
  return neutralise(selection.before) + neutraliseSelection(selection);
}

function neutralise(text: string): string {
  const always = (): boolean => true;
  let folded = fold(text);
  for (const [pattern, isMeant] of [
    [OPENING, always],
    [BRACKETED, isControl],
    [BARE, always],
  ] as const) {
    const rewritten = rewriteMatches(folded, pattern, isMeant);
    if (rewritten !== folded.original) folded = fold(rewritten);
  }
  return folded.original;
}

/** The selection as it stands where none of its keys and values holds control text. */
function neutraliseSelection({ json, selection }: SplitSelection): string {
  const entries = Object.entries(selection);
  const harmless = entries.map(([key, value]) => [
    neutralise(key),
    typeof value === 'string' ? neutralise(value) : value,
  ]);
  const isChanged = entries.some(([key, value], at) => key !== harmless[at]?.[0] || value !== harmless[at]?.[1]);
  return isChanged ? withoutBrackets(JSON.stringify(Object.fromEntries(harmless))) : json;
}

/** JSON without angle brackets; its meaning is the same. */
function withoutBrackets(json: string): string {
  return json.replace(/</g, '\\u003c').replace(/>/g, '\\u003e');
}

function isControl(inner: string): boolean {
  const parts = inner.split(':').map((part) => part.trim());
  const first = parts[0] ?? '';
  const action = parts.at(-1) ?? '';
  if (parts.some((part) => part === '') || !/^\p{L}/u.test(first)) return false;
  const plain = parts.map((part) => part.toLowerCase().replace(/[\s_-]/g, ''));
  if (plain.some((part) => KNOWN_FIELDS.test(part)) || KNOWN_RAILS.test(plain[0] ?? '')) return true;
  if (KNOWN_ACTIONS.test(plain.at(-1) ?? '')) return parts.every((part) => !/\s/.test(part));
  return /^[A-Z][A-Z_]{2,}$/.test(action) && parts.every((part) => !/\s/.test(part));
}

function asWords(control: string): string {
  return `[quoted, not a command: ${control.split(':').join(' ').replace(/\s+/g, ' ').trim()}]`;
}

/** A copy for matching. `starts[i]` is where character i came from in the original; one more entry marks the end. */
type Folded = { original: string; text: string; starts: readonly number[] | null };

function fold(text: string): Folded {
  // Plain ASCII, the usual case, is its own folded form.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included
  if (/^[\x00-\x7f]*$/.test(text)) return { original: text, text, starts: null };
  const out: string[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const char of text) {
    for (const unit of foldChar(char)) {
      out.push(unit);
      starts.push(at);
    }
    at += char.length;
  }
  starts.push(at);
  return { original: text, text: out.join(''), starts };
}

/** UTF-16 units, so that they count as regular expression indices do. */
function foldChar(char: string): string[] {
  if (char <= '\x7f') return [char];
  if (/[\p{Cf}\p{Mn}\u115f\u1160\u3164\uffa0]/u.test(char)) return [];
  if (/[‹〈⟨❮❬]/u.test(char)) return ['<'];
  if (/[›〉⟩❯❭]/u.test(char)) return ['>'];
  if (/[∶꞉ː։]/u.test(char)) return [':'];
  return char.normalize('NFKC').split('');
}

/** The original with every match in the folded text whose first group is control text rewritten in its place. */
function rewriteMatches(folded: Folded, pattern: RegExp, isMeant: (inner: string) => boolean): string {
  const { original, text, starts } = folded;
  const position = (index: number): number => (starts === null ? index : (starts[index] ?? original.length));
  let result = '';
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const inner = match[1] ?? '';
    if (!isMeant(inner)) continue;
    result += original.slice(done, position(match.index)) + asWords(inner);
    done = position(match.index + match[0].length);
  }
  return result + original.slice(done);
}
