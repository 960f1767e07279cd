import { assertNever } from '../domain/assert-never.ts';
import type { OutboxMessage } from '../domain/outbox.ts';
import { isLive, type Run } from '../domain/run.ts';
import { answerFile, answerMessage } from '../presenter/answer.ts';
import { pauseCard } from '../presenter/pause-card.ts';
import { reminderOverText } from '../presenter/reminder.ts';
import { statusMessage } from '../presenter/status-message.ts';
import { cardNoticeMessage, noticeMessage } from '../presenter/texts.ts';
import type { RunnerDeps } from './context.ts';
import { ledgerEntryOf } from './payments/ledger-entry-of.ts';
import { presentPayment } from './payments/payment-standing.ts';
import type { Drawing } from './show-message.ts';

type DrawDeps = Pick<RunnerDeps, 'store' | 'now' | 'policy' | 'settings'>;

/** Draws a message, from its own text or from the run or pause as it stands. Null when there is nothing (left) to show. */
export async function drawMessage(deps: DrawDeps, message: OutboxMessage): Promise<Drawing | null> {
  switch (message.kind) {
    case 'notice':
      return message.text === null ? null : drawNotice(deps, message, message.text);
    case 'answer':
      return message.text === null
        ? null
        : { kind: 'message', content: answerMessage({ ...message, piece: message.text }) };
    case 'file':
      return withRun(deps, message, async (run) => ({
        kind: 'file',
        file: answerFile({ answer: run.answer, runId: run.id }),
      }));
    case 'info_card':
      return message.card && { kind: 'message', content: cardNoticeMessage(message.card) };
    case 'status':
      return withRun(deps, message, (run) => drawStatus(deps, run));
    case 'card':
      return withRun(deps, message, (run) => drawCard(deps, run, message));
    default:
      return assertNever(message.kind);
  }
}

/** Words of our own, as they are; those of a reminder until its pause is over, which it then says instead. */
async function drawNotice(deps: DrawDeps, message: OutboxMessage, text: string): Promise<Drawing | null> {
  const pause = message.pauseId === null ? null : await deps.store.pauses.get(message.pauseId);
  if (!pause || pause.state === 'open') return { kind: 'message', content: noticeMessage(text) };
  return withRun(deps, message, async (run) => {
    const entry = await ledgerEntryOf(deps, pause);
    return { kind: 'message', content: noticeMessage(reminderOverText({ pause, run, entry })), posting: 'never' };
  });
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
  // An answer is a message of its own; of any other end nothing else tells.
  const isUnanswered = !isLive(run.state) && run.state !== 'completed';
  const payments = pause && isUnanswered ? await deps.store.ledger.entriesOf(run.id) : [];
  return {
    kind: 'message',
    content: statusMessage({ run, ahead, now: deps.now(), pause, retry: null, payments }),
    posting: isUnanswered ? 'again' : 'once',
  };
}

async function drawCard(deps: DrawDeps, run: Run, message: OutboxMessage): Promise<Drawing | null> {
  const pause = message.pauseId === null ? null : await deps.store.pauses.get(message.pauseId);
  if (!pause) return null;
  const entry = await ledgerEntryOf(deps, pause);
  const payment = entry && (await presentPayment(deps, entry));
  return { kind: 'message', content: pauseCard({ pause, run, payment }) };
}
