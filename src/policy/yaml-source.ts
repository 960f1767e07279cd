import { isMap, isScalar, isSeq, Lexer, LineCounter, type Node, parseDocument, visit } from 'yaml';

/** More than any policy needs. Bounds the time that hostile text can cost. */
const MAX_CHARS = 128 * 1024;
const MAX_NESTING = 20;
/** Reach an object's prototype instead of its own values in careless code. */
const UNSAFE_KEYS = ['__proto__', 'constructor', 'prototype'];

type Place = readonly PropertyKey[];
type Found = { offset: number; message: string };

/** A text as data, all scalars as the strings that were written, and the line of each place in it. */
export type YamlSource = { data: unknown; lineOf: (place: Place) => number };

/**
 * Reads YAML of which nothing but maps, lists and strings is understood: amounts stay the text that was written, and
 * aliases, merge keys, tags, several documents, unsafe and duplicate keys are problems. Never throws.
 */
export function readYaml(text: string): YamlSource | { problems: Array<{ line: number; message: string }> } {
  if (text.length > MAX_CHARS) return tooMuch(`is longer than ${MAX_CHARS} characters`);
  const lines = new LineCounter();
  const deepAt = tooDeepAt(text);
  if (deepAt !== null) return tooMuch('is nested too deeply', deepAt);
  const document = parseDocument(text, {
    schema: 'failsafe',
    stringKeys: true,
    // Its own check compares each key with each: 20,000 keys take 6 s.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  });
  const found = [
    ...[...document.errors, ...document.warnings].map((problem) => ({
      offset: problem.pos[0],
      message: problem.code === 'MULTIPLE_DOCS' ? 'a second document (---) is not allowed' : problem.message,
    })),
    ...findForbidden(document.contents),
  ];
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  if (found.length > 0) {
    return { problems: found.map(({ offset, message }) => ({ line: lineAt(offset), message })) };
  }
  return {
    data: document.toJS({ maxAliasCount: 0 }),
    lineOf: (place) => lineAt(offsetOf(document.contents, place)),
  };
}

function tooMuch(message: string, line = 1): { problems: Array<{ line: number; message: string }> } {
  return { problems: [{ line, message }] };
}

/**
 * The line where the nesting goes beyond what is read; null when it nowhere does. The parser recurses, and some
 * thousand levels can end the whole process ("RegExpCompiler Allocation failed", measured with yaml 2.9.1 on Node 20), so
 * this is asked of the lexer, which does not. Nesting by indentation needs no look: it costs characters squared.
 */
function tooDeepAt(text: string): number | null {
  let flow = 0;
  let dashes = 0;
  let line = 1;
  let isText = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (isText) isText = false;
    else if (lexeme === '\x1f') isText = true;
    else if (lexeme === '[' || lexeme === '{') flow++;
    else if (lexeme === ']' || lexeme === '}') flow--;
    else if (lexeme === '-' || lexeme === '?' || lexeme === ':') dashes++;
    if (lexeme.includes('\n')) dashes = 0;
    if (flow > MAX_NESTING || (flow === 0 && dashes > MAX_NESTING)) return line;
    line += lexeme.split('\n').length - 1;
  }
  return null;
}

function findForbidden(contents: Node | null): Found[] {
  const found: Found[] = [];
  const add = (node: Node, message: string) => found.push({ offset: node.range?.[0] ?? 0, message });
  visit(contents, {
    Alias: (_key, node) => void add(node, 'aliases (*name) are not allowed: write the value out'),
    Node: (_key, node) => {
      if ('anchor' in node && node.anchor !== undefined) add(node, 'anchors (&name) are not allowed');
    },
    Map: (_key, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) add(key, 'stands here twice: keys must be unique');
        seen.add(name);
      }
    },
    Pair: (_key, { key }) => {
      if (!isScalar(key)) return;
      if (key.value === '<<') add(key, 'merge keys (<<) are not allowed: write the values out');
      if (UNSAFE_KEYS.includes(String(key.value))) add(key, `the key ${String(key.value)} is not allowed`);
    },
  });
  return found;
}

/** Where the deepest part of a place that exists begins: of a map's entry, its key. */
function offsetOf(contents: Node | null, place: Place): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const step of place) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (!pair || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number') {
      node = node.items[step];
      offset = isScalar(node) || isMap(node) || isSeq(node) ? (node.range?.[0] ?? offset) : offset;
    } else break;
  }
  return offset;
}
