/**
 * Makes control text harmless (contract C38).
 *
 * ASI:One's own chat window confirms a payment by sending the agent the text `<stripe:payment_id:…:CONFIRM>`. The same
 * text in a user's message or an agent's reply must never go out as if the bot had confirmed. It is looked for in a
 * folded copy (no invisible characters, full-width forms made plain), and rewritten in place, so that all other text
 * stays exactly as it was.
 */

/** A bracketed list of three parts or more. Parts hold nothing that code, tags with attributes or URLs need. */
const BRACKETED =
  /(?:<|&lt;|&#60;)([^<>&:/{}()[\]=,;"'`]{1,200}(?::[^<>&:/{}()[\]=,;"'`]{1,200}){2,9})(?:>|&gt;|&#62;)/giu;

/** The same without its brackets, told by the names that only control text has. */
const BARE =
  /(?<![\w:/.-])[a-z][\w-]*\s*:\s*(?:payment|checkout)[ _-]?(?:session[ _-]?)?id\s*:[^\s:<>]{1,200}:\s*[a-z_]{3,40}\b/giu;

const KNOWN_RAILS = /^(?:stripe|skyfire|fet|fetdirect|payment|checkout|paypal)$/;
const KNOWN_FIELDS = /^(?:payment|checkout|checkoutsession|transaction|card|order)id$/;
const KNOWN_ACTIONS =
  /^(?:confirm|confirmed|approve|approved|accept|commit|complete|completed|pay|paid|reject|decline|deny|cancel)$/;

/** The text with every piece of control text rewritten as words; text without any is returned as it is. */
export function neutraliseControlText(text: string): string {
  const folded = fold(text);
  const once = replaceFolded(text, folded, BRACKETED, (match) => (isControl(match[1] ?? '') ? (match[1] ?? '') : null));
  return replaceFolded(once, fold(once), BARE, (match) => match[0]);
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
type Folded = { text: string; starts: readonly number[] | null };

function fold(text: string): Folded {
  // Plain ASCII, the usual case, is its own folded form.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII, control characters included
  if (/^[\x00-\x7f]*$/.test(text)) return { text, starts: null };
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
  return { text: out.join(''), starts };
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

function replaceFolded(
  text: string,
  folded: Folded,
  pattern: RegExp,
  choose: (match: RegExpExecArray) => string | null,
): string {
  const original = (index: number): number => (folded.starts === null ? index : (folded.starts[index] ?? text.length));
  let result = '';
  let done = 0;
  for (const match of folded.text.matchAll(pattern)) {
    const control = choose(match);
    if (control === null) continue;
    result += text.slice(done, original(match.index)) + asWords(control);
    done = original(match.index + match[0].length);
  }
  return result + text.slice(done);
}
