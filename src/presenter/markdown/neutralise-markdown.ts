import type { Nodes, Root } from 'mdast';
import { ZERO_WIDTH_SPACE } from '../text/escape.ts';
import { findPings, type Shield } from './find-pings.ts';
import { nodesOf, parseMarkdown, rangeOf } from './markdown-tree.ts';

/** A rewrite can change what is code and what is not; text that keeps changing is rewritten without exceptions. */
const MAX_ROUNDS = 3;

/**
 * Markdown that cannot ping anyone when Slack renders it, and its tree (null when it could not be parsed).
 *
 * Mentions in any spelling Slack might read (`<!channel>`, `&lt;!here&gt;`, `\<@U1>`, `[x](!channel)`, `@everyone`) get
 * a zero-width space, in text, HTML, tables, titles and alternative texts alike. Backtick code, bare URLs and e-mail
 * addresses stay byte for byte. Text without mentions is parsed once and returned as it is.
 */
export function neutraliseMarkdown(source: string): { text: string; tree: Root | null } {
  let text = source;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const tree = parseMarkdown(text);
    const pings = tree ? findPings(text, shieldsOf(text, tree)) : findPings(text, []);
    if (pings.length === 0) return { text, tree };
    text = insertBreaks(text, pings);
  }
  text = insertBreaks(text, findPings(text, []));
  return { text, tree: parseMarkdown(text) };
}

/** Whether text holds a mention anywhere, code included: a cheap reason to look closer. */
export function mayPing(text: string): boolean {
  return findPings(text, []).length > 0;
}

function insertBreaks(text: string, offsets: readonly number[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const offset of offsets) {
    pieces.push(text.slice(from, offset));
    from = offset;
  }
  return [...pieces, text.slice(from)].join(ZERO_WIDTH_SPACE);
}

/** The parts of the source that must stay as they are, in order. */
function shieldsOf(source: string, tree: Root): Shield[] {
  const shields: Shield[] = [];
  for (const node of nodesOf(tree)) {
    const shield = shieldOf(source, node);
    if (shield) shields.push(shield);
  }
  return shields;
}

function shieldOf(source: string, node: Nodes): Shield | null {
  const { start, end } = rangeOf(node);
  switch (node.type) {
    case 'inlineCode':
      // Slack knows no inline code over several lines.
      return source.slice(start, end).includes('\n') ? null : { start, end, kind: 'all' };
    case 'code': {
      // Only backtick fences are sure to be code for Slack, and only below the line with the language.
      const lineEnd = source.indexOf('\n', start);
      return source[start] === '`' && lineEnd >= 0 && lineEnd < end ? { start: lineEnd, end, kind: 'all' } : null;
    }
    case 'html':
      // `<!channel>` at the start of a line makes the whole line HTML. Break it first; the next round sees what is left.
      return /^<![a-z]/i.test(source.slice(start, end)) ? { start: start + 1, end, kind: 'all' } : null;
    case 'link': {
      if (source[start] !== '[') return { start, end, kind: 'all' };
      const last = node.children.at(-1);
      return { start: last ? rangeOf(last).end : start + 1, end, kind: 'words' };
    }
    case 'image':
      return { start: Math.max(start, source.lastIndexOf('](', end)), end, kind: 'words' };
    case 'definition':
      return { start, end, kind: 'words' };
    default:
      return null;
  }
}
