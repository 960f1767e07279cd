import type { KnownBlock } from '@slack/types';
import type { MessageContent, TextFile } from '../domain/ports/chat.ts';
import { plain } from './blocks.ts';
import { LIMITS } from './limits.ts';
import { mayPing, neutraliseMarkdown } from './markdown/neutralise-markdown.ts';
import { splitLines } from './markdown/split-lines.ts';
import { splitMarkdown } from './markdown/split-markdown.ts';
import { shortRunId } from './run-words.ts';
import { cleanText, escapeWithin } from './text/escape.ts';
import { splitText } from './text/split-text.ts';

/** Below Slack's limit for `markdown` blocks, so that breaks put into mentions still fit. */
const PIECE = 11_000;
const MAX_MESSAGES = 5;
const TEXT = 3_500;
const EXCERPT = 500;
const HAS_FENCE = /`{3}|~{3}/;

/** What a run's answer becomes in Slack: pieces of Markdown, one per message; a file; or a word that there is none. */
export type CutAnswer = { kind: 'pieces'; pieces: string[] } | { kind: 'file' } | { kind: 'none' };

/**
 * Cuts an answer into what fits messages (contract C14, C15): standard Markdown, complete, unable to ping. An answer of
 * more than five messages becomes a file. Parses the answer, which takes its time: called once, when a run is done.
 */
export function cutAnswer(answer: string): CutAnswer {
  if (answer.trim() === '') return { kind: 'none' };
  if (answer.length > PIECE * MAX_MESSAGES) return { kind: 'file' };
  const pieces = answerPieces(answer);
  return pieces.length > MAX_MESSAGES ? { kind: 'file' } : { kind: 'pieces', pieces };
}

function answerPieces(answer: string): string[] {
  const clean = cleanText(answer).trimEnd();
  // Most answers are short and plain, and need no parsing.
  if (clean.length <= PIECE && !HAS_FENCE.test(clean) && !mayPing(clean)) return [clean];
  const { text, tree } = neutraliseMarkdown(clean);
  const pieces = tree ? splitMarkdown(text, tree, PIECE) : splitLines(text, PIECE);
  // A cut can turn code into text, so a piece that holds a mention at all is looked at on its own.
  return pieces.length === 1
    ? pieces
    : pieces.map((piece) => (mayPing(piece) ? neutraliseMarkdown(piece).text : piece));
}

/** Draws a piece of an answer, the `part`th (from 0) of `parts`. */
export function answerMessage({ piece, part, parts }: { piece: string; part: number; parts: number }): MessageContent {
  const place = parts > 1 ? `(part ${part + 1} of ${parts}) ` : '';
  const blocks: KnownBlock[] = [{ type: 'markdown', text: piece }];
  return { text: place + escapeWithin(piece, TEXT), blocks, fallbackBlocks: plainSections(piece) };
}

/** The Markdown as plain text, for workspaces that do not know the `markdown` block. */
function plainSections(piece: string): KnownBlock[] {
  return splitText(piece, LIMITS.section - 100).map((text) => ({ type: 'section', text: plain(text, LIMITS.section) }));
}

/** In place of an answer that is empty. */
export function noAnswerText(): string {
  return 'The planner finished, but it wrote no answer. Ask again in other words if you expected one.';
}

/** An answer that is too long for messages: a Markdown file, byte for byte what the planner wrote. */
export function answerFile({ answer, runId }: { answer: string; runId: string }): TextFile {
  const start = escapeWithin(answer.trimStart().slice(0, EXCERPT * 2), EXCERPT);
  return {
    name: `answer-${shortRunId(runId).replace(/[^\w-]/g, '')}.md`,
    content: answer,
    comment: `The answer is too long for messages (${answer.length} characters), so here it is as a file. It begins:\n${start}`,
  };
}
