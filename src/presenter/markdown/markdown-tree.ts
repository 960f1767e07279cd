import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Quotes and lists nested deeper than this make the parser slow, then overflow its stack; people nest three. */
const DEEP_NESTING = /^[ \t]*(?:>[ \t]*|(?:[-+*]|\d{1,9}[.)])[ \t]+){30}/m;

/** Links and images within each other cost the parser the square of their number in a paragraph, or more. */
const MAX_LINKS = 1_000;
const MAX_IMAGES = 50;
/** Underlined headings cost it the square of their number in the text. */
const UNDERLINE = /^[ \t]*(?:=+|-+)[ \t]*$/gm;
const MAX_UNDERLINES = 300;

/**
 * Parses GitHub-flavoured Markdown; null for text that is built to hurt the parser and holds nothing worth drawing.
 * Costs about 10 ms per 1,000 characters: call once per answer, never per delta.
 */
export function parseMarkdown(source: string): Root | null {
  if (isHostile(source)) return null;
  try {
    return fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  } catch (error) {
    // Nesting in a form that the pattern does not know overflows the stack.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isHostile(source: string): boolean {
  if (DEEP_NESTING.test(source)) return true;
  if ((source.match(UNDERLINE)?.length ?? 0) > MAX_UNDERLINES) return true;
  return source
    .split(/\n[ \t]*\n/)
    .some((paragraph) => occurrences(paragraph, '![') > MAX_IMAGES || occurrences(paragraph, '](') > MAX_LINKS);
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** All nodes below `root` in the order of the text. No recursion, so that depth does no harm. */
export function* nodesOf(root: Nodes): Generator<Nodes> {
  const stack: Nodes[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    if ('children' in node) stack.push(...[...node.children].reverse());
  }
}

/** A node's place in the source. Every node made by the parser has one. */
export function rangeOf(node: Nodes): { start: number; end: number } {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
}
