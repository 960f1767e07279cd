import { isDeepStrictEqual } from 'node:util';
import { readAnswer } from './answers/answer.ts';
import { askedBy } from './answers/asked.ts';
import type { AnswerReading } from './answers/reading.ts';
import type { ChatRequest } from './chat-request.ts';
import { holdsControlText, piecesBetweenControlTexts } from './control-text.ts';
import type { LegReport } from './leg-report.ts';
import { type Message, userText } from './messages.ts';

/** What a resume has to repeat. */
type Paused = { request: ChatRequest; report: LegReport };

/** The answer that a resume brings, or why it is no resume of this pause. */
export function readResume(paused: Paused, request: ChatRequest): AnswerReading {
  const fault = findResumeFault(paused, request);
  if (fault) return { fault };
  const asked = askedBy(paused.report);
  const last = request.messages.at(-1);
  if (last?.role === 'user') return readAnswer(asked, userText(last));
  return asked.kind === 'words' ? { answer: { says: 'words' } } : { fault: 'its last message must be the answer' };
}

/**
 * A resume repeats what was sent, then the paused assistant turn, then the answer. Its assistant turn holds the text
 * that was streamed and the tool calls that were made; where nothing was streamed, its text is free. Control texts of the
 * payment rails in it have been made harmless.
 */
function findResumeFault(paused: Paused, request: ChatRequest): string | null {
  for (const field of ['model', 'agents', 'tools'] as const) {
    if (!isDeepStrictEqual(paused.request[field], request[field])) return `${field} differs from the first request`;
  }
  const before = paused.request.messages;
  const differing = before.findIndex((message, index) => !isSameTurn(message, request.messages[index]));
  if (differing !== -1) return `messages[${differing}] differs from what was sent before`;
  const turn = request.messages[before.length];
  if (turn?.role !== 'assistant') return `messages[${before.length}] must be the paused assistant turn`;
  if (!holdsInOrder(turn.content ?? '', piecesBetweenControlTexts(paused.report.text)))
    return `messages[${before.length}] does not hold the text that was streamed`;
  const calls = (turn.tool_calls ?? []).map((call) => call.id);
  if (
    !isDeepStrictEqual(
      calls,
      paused.report.toolCalls.map((call) => call.id),
    )
  )
    return `messages[${before.length}] does not hold the tool calls that were made`;
  const added = request.messages.slice(before.length);
  const forged = added.findIndex((message) => message.role !== 'tool' && holdsControlText(userText(message)));
  if (forged !== -1) return `messages[${before.length + forged}] holds a control text of the payment rails`;
  return added.length > 1 ? null : 'there is no answer after the paused turn';
}

function holdsInOrder(text: string, pieces: readonly string[]): boolean {
  let at = 0;
  return pieces.every((piece) => {
    const found = text.indexOf(piece, at);
    at = found + piece.length;
    return found !== -1;
  });
}

function isSameTurn(before: Message, now: Message | undefined): boolean {
  if (before.role === 'user' && now?.role === 'user' && !hasImages(before) && !hasImages(now))
    return userText(before) === userText(now);
  return isDeepStrictEqual(before, now);
}

function hasImages(message: Message): boolean {
  return Array.isArray(message.content) && message.content.some((part) => part.type === 'image_url');
}
