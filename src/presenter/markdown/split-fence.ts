import { pack } from './pack.ts';
import { splitLines } from './split-lines.ts';

const OPENING = /^( {0,3})(`{3,}|~{3,})([^\n]*)/;
/** A language is a word; what else stands behind a fence is not repeated. */
const MAX_INFO = 100;

type Fence = { opening: string; mark: string; body: string };

/** A code block whose closing fence is missing (a cut answer) gets one; all else is returned as it is. */
export function closeFence(text: string): string {
  const fence = readFence(text);
  if (!fence || isClosed(text, fence.mark)) return text;
  return `${text}${text.endsWith('\n') ? '' : '\n'}${fence.mark}`;
}

/** Cuts a code block between lines; every piece opens with the same fence and language and is closed. */
export function splitFence(text: string, max: number): string[] {
  const fence = readFence(text);
  if (!fence || fence.opening.length > max / 2) return splitLines(text, max);
  const room = max - fence.opening.length - fence.mark.length - 2;
  return packLines(fence.body, room).map((body) => `${fence.opening}\n${body}\n${fence.mark}`);
}

function readFence(text: string): Fence | null {
  const match = OPENING.exec(text);
  if (!match) return null;
  const [first, indent = '', mark = '', info = ''] = match;
  const bodyEnd = isClosed(text, mark) ? text.lastIndexOf('\n') : text.length;
  const body = text.slice(first.length + 1, Math.max(first.length + 1, bodyEnd));
  return { opening: indent + mark + info.slice(0, MAX_INFO), mark, body };
}

function isClosed(text: string, mark: string): boolean {
  const lineStart = text.lastIndexOf('\n') + 1;
  const last = text.slice(lineStart).trim();
  return lineStart > 0 && last.length >= mark.length && last === (mark[0] ?? '').repeat(last.length);
}

/** Whole lines, unchanged; only a line that is too long by itself is cut. */
function packLines(body: string, room: number): string[] {
  const lines = body.split('\n');
  return pack(
    lines.flatMap((line) => (line.length > room ? splitLines(line, room) : [line])),
    room,
  );
}
