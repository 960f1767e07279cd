import type { Blockquote, List, ListItem, Nodes, Paragraph, Root, RootContent } from 'mdast';
import { rangeOf } from './markdown-tree.ts';
import { pack } from './pack.ts';
import { closeFence, splitFence } from './split-fence.ts';
import { splitLines } from './split-lines.ts';

/** Containers nested deeper than this are cut at line ends. */
const MAX_DEPTH = 8;
/** With less room than this there is nothing left to keep together. */
const MIN_ROOM = 80;

/**
 * Cuts Markdown into pieces of at most `max` characters that are valid on their own and hold, together, all of it.
 *
 * Pieces end between blocks where that is possible. A block that is too long is cut inside: a fence is closed and opened
 * again with its language, a table's head is repeated, a list is cut between items, a quote keeps its marks, a
 * paragraph is cut between words.
 */
export function splitMarkdown(source: string, tree: Root, max: number): string[] {
  const pieces: string[] = [];
  let current = '';
  let previousEnd = 0;
  for (const node of tree.children) {
    const { start, end } = rangeOf(node);
    const text = blockText(source, node);
    const gap = source.slice(previousEnd, start);
    previousEnd = end;
    if (current !== '' && current.length + gap.length + text.length <= max) {
      current += gap + text;
      continue;
    }
    if (current !== '') pieces.push(current);
    const parts = splitBlock({ source, max, depth: 0 }, node);
    current = parts.pop() ?? '';
    pieces.push(...parts);
  }
  return current === '' ? pieces : [...pieces, current];
}

type Cut = { source: string; max: number; depth: number };

function splitBlock(cut: Cut, node: RootContent): string[] {
  const text = blockText(cut.source, node);
  if (text.length <= cut.max) return [text];
  if (cut.depth > MAX_DEPTH || cut.max < MIN_ROOM) return splitLines(text, cut.max);
  switch (node.type) {
    case 'code':
      return splitFence(text, cut.max);
    case 'table':
      return splitTable(text, cut.max);
    case 'list':
      return splitList(cut, node);
    case 'blockquote':
      return splitQuote(cut, node);
    case 'paragraph':
      return cut.depth === 0 ? splitParagraph(cut, node) : splitLines(text, cut.max);
    default:
      return splitLines(text, cut.max);
  }
}

/** A block's source without the marks and indentation of the containers around it. */
function blockText(source: string, node: Nodes): string {
  const { start, end } = rangeOf(node);
  const text = source.slice(start, end);
  const indent = (node.position?.start.column ?? 1) - 1;
  const own = indent === 0 ? text : text.replace(new RegExp(`\\n[ \\t>]{1,${indent}}`, 'g'), '\n');
  return node.type === 'code' ? closeFence(own) : own;
}

function splitTable(text: string, max: number): string[] {
  const [head = '', rule = '', ...rows] = text.split('\n');
  const opening = `${head}\n${rule}`;
  const room = max - opening.length - 1;
  if (rows.length === 0 || room < max / 2) return splitLines(text, max);
  return pack(
    rows.flatMap((row) => splitLines(row, room)),
    room,
  ).map((piece) => `${opening}\n${piece}`);
}

function splitList(cut: Cut, list: List): string[] {
  const gap = list.spread ? '\n\n' : '\n';
  return pack(
    list.children.flatMap((item) => splitItem(cut, item)),
    cut.max,
    gap,
  );
}

/** The item's blocks on their own; the first keeps the item's mark. */
function splitItem(cut: Cut, item: ListItem): string[] {
  const text = blockText(cut.source, item);
  const first = item.children[0];
  if (text.length <= cut.max || !first) return text.length <= cut.max ? [text] : splitLines(text, cut.max);
  const mark = cut.source.slice(rangeOf(item).start, rangeOf(first).start);
  const inner = { ...cut, max: cut.max - mark.length - 2, depth: cut.depth + 1 };
  const [head = '', ...rest] = pack(
    item.children.flatMap((child) => splitBlock(inner, child)),
    inner.max,
    '\n\n',
  );
  return [first.type === 'paragraph' ? mark + head : `${mark.trimEnd()}\n\n${head}`, ...rest];
}

/** A third of the room: a mark of two characters goes before every line, and lines can be one character long. */
function splitQuote(cut: Cut, quote: Blockquote): string[] {
  const inner = { ...cut, max: Math.floor(cut.max / 3) - 2, depth: cut.depth + 1 };
  const parts = quote.children.flatMap((child) => splitBlock(inner, child));
  return pack(
    parts.map((part) => `> ${part.replaceAll('\n', '\n> ')}`),
    cut.max,
    '\n>\n',
  );
}

/** Cut between words of plain text, not inside a link, code or emphasis, where there is such a place. */
function splitParagraph({ source, max }: Cut, paragraph: Paragraph): string[] {
  const { start } = rangeOf(paragraph);
  const plainRanges = paragraph.children.filter((child) => child.type === 'text').map(rangeOf);
  const isPlain = (offset: number): boolean =>
    plainRanges.some((range) => range.start - start <= offset && offset < range.end - start);
  return splitLines(source.slice(start, rangeOf(paragraph).end), max, isPlain);
}
