import type { KnownBlock } from '@slack/types';
import type { MessageContent } from '../domain/ports/chat.ts';
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

/** A run's answer as one or more messages, or as a file when it is too long for them. */
export type AnswerParts =
  | { kind: 'messages'; messages: MessageContent[] }
  | { kind: 'file'; name: string; content: string; comment: string };

/**
 * Draws an answer (contract C14, C15): standard Markdown for Slack to render, complete, unable to ping. An answer of
 * more than five messages becomes a Markdown file, byte for byte what the planner wrote. Parses the answer once.
 */
export function answerParts({ answer, runId }: { answer: string; runId: string }): AnswerParts {
  if (answer.trim() === '') return { kind: 'messages', messages: [emptyAnswer()] };
  if (answer.length > PIECE * MAX_MESSAGES) return answerFile(answer, runId);
  const pieces = answerPieces(answer);
  if (pieces.length > MAX_MESSAGES) return answerFile(answer, runId);
  return { kind: 'messages', messages: pieces.map(answerMessage) };
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

function answerMessage(piece: string, index: number, pieces: readonly string[]): MessageContent {
  const part = pieces.length > 1 ? `(part ${index + 1} of ${pieces.length}) ` : '';
  const blocks: KnownBlock[] = [{ type: 'markdown', text: piece }];
  return { text: part + escapeWithin(piece, TEXT), blocks, fallbackBlocks: plainSections(piece) };
}

/** The Markdown as plain text, for workspaces that do not know the `markdown` block. */
function plainSections(piece: string): KnownBlock[] {
  return splitText(piece, LIMITS.section - 100).map((text) => ({ type: 'section', text: plain(text, LIMITS.section) }));
}

function emptyAnswer(): MessageContent {
  const text = 'The planner finished, but it wrote no answer. Ask again in other words if you expected one.';
  return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] };
}

function answerFile(answer: string, runId: string): AnswerParts {
  const start = escapeWithin(answer.trimStart().slice(0, EXCERPT * 2), EXCERPT);
  return {
    kind: 'file',
    name: `answer-${shortRunId(runId).replace(/[^\w-]/g, '')}.md`,
    content: answer,
    comment: `The answer is too long for messages (${answer.length} characters), so here it is as a file. It begins:\n${start}`,
  };
}
