import { assertNever } from '../domain/assert-never.ts';
import type { OutboxMessage } from '../domain/outbox.ts';
import type { MessageContent } from '../domain/ports/chat.ts';
import type { Store } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';
import { answerParts } from '../presenter/answer.ts';
import { pauseCard } from '../presenter/pause-card.ts';
import { statusMessage } from '../presenter/status-message.ts';
import { noticeMessage } from '../presenter/texts.ts';

/** What an outbox row looks like now: a message, or a file for an answer that is too long for messages. */
export type Drawing =
  | { kind: 'message'; content: MessageContent }
  | { kind: 'file'; file: { name: string; content: string; comment: string } };

type DrawDeps = { store: Store; now: () => Date };

/** Draws a message from the run or pause as it stands. Null when there is nothing (left) to show. */
export async function drawMessage(deps: DrawDeps, message: OutboxMessage): Promise<Drawing | null> {
  switch (message.kind) {
    case 'notice':
      return message.text === null ? null : { kind: 'message', content: noticeMessage(message.text) };
    case 'status':
      return withRun(deps, message, (run) => drawStatus(deps, run));
    case 'answer':
      return withRun(deps, message, async (run) => drawAnswer(run, message.part));
    case 'card':
      return withRun(deps, message, (run) => drawCard(deps, run, message));
    default:
      return assertNever(message.kind);
  }
}

async function withRun(
  deps: DrawDeps,
  message: OutboxMessage,
  draw: (run: Run) => Promise<Drawing | null>,
): Promise<Drawing | null> {
  const run = message.runId === null ? null : await deps.store.runs.get(message.runId);
  return run && draw(run);
}

async function drawStatus(deps: DrawDeps, run: Run): Promise<Drawing> {
  // A new run, whose status message is wanted soon, is drawn without asking for what it cannot have.
  const ahead = run.state === 'queued' && !run.isCurrent ? await deps.store.runs.countAhead(run.id) : 0;
  const pause = run.epoch === 0 ? null : await deps.store.pauses.latestOf(run.id);
  return {
    kind: 'message',
    content: statusMessage({ run, plan: run.plan, ahead, now: deps.now(), pause, retry: null }),
  };
}

function drawAnswer(run: Run, part: number): Drawing | null {
  const parts = answerParts({ answer: run.answer, runId: run.id });
  if (parts.kind === 'file') return { kind: 'file', file: parts };
  const content = parts.messages[part];
  return content ? { kind: 'message', content } : null;
}

async function drawCard(deps: DrawDeps, run: Run, message: OutboxMessage): Promise<Drawing | null> {
  const pause = message.pauseId === null ? null : await deps.store.pauses.get(message.pauseId);
  return pause && { kind: 'message', content: pauseCard({ pause, run, now: deps.now() }) };
}
