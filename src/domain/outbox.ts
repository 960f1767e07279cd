import type { Card } from './card.ts';
import type { ThreadRef } from './thread.ts';

/**
 * What a message of the bot shows. `status`, `card` and `file` (an answer too long for messages) are drawn from the run
 * or pause as it stands when shown; `answer` and `notice` have their text from the start, and `info_card` its card. A
 * `notice` about a pause (a reminder) shows its text while the pause is open, and then what came of it.
 */
export const OUTBOX_KINDS = ['status', 'answer', 'file', 'card', 'info_card', 'notice'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

/**
 * A message that Slack has to show. The database says what should be visible (`wantedRev`) and what is (`shownRev`);
 * a row whose two differ is owed, and is sent again until it is shown or refused for good.
 *
 * `operationId` goes into the Slack message's metadata, so that a post whose outcome is unknown after a crash is found
 * in the thread instead of being made twice.
 */
export type OutboxMessage = {
  operationId: string;
  kind: OutboxKind;
  channelId: string;
  /** Null for a message that opens a thread. */
  threadTs: string | null;
  runId: string | null;
  pauseId: string | null;
  /** Which part of a long answer, from 0, and of how many; 0 of 1 for all else. */
  part: number;
  parts: number;
  /** Markdown of an answer's part, mrkdwn of a notice; null for kinds drawn from the run or pause. */
  text: string | null;
  /** What an `info_card` shows; null for all others. */
  card: Card | null;
  /** ts of the Slack message once posted. */
  ts: string | null;
  wantedRev: number;
  shownRev: number;
  /** Attempts to show it; above 0 with no `ts`, an earlier post may have reached Slack. */
  attempts: number;
};

/** What a caller says of a message it owes; the rest is the store's. */
export type NewOutboxMessage = Pick<
  OutboxMessage,
  'operationId' | 'kind' | 'channelId' | 'threadTs' | 'runId' | 'pauseId' | 'part' | 'parts' | 'text' | 'card'
>;

export const statusOperation = (runId: string): string => `status-${runId}`;
export const answerOperation = (runId: string, part: number): string => `answer-${runId}-${part}`;
export const cardOperation = (pauseId: string): string => `card-${pauseId}`;
/** The message that a slash command's run lives under. */
export const rootOperation = (requestKey: string): string => `root-${requestKey}`;
/** A short answer to a message that started no run. */
export const noticeOperation = (requestKey: string): string => `notice-${requestKey}`;
/** Says that a pause still waits. */
export const reminderOperation = (pauseId: string): string => `reminder-${pauseId}`;
/** Why the planner was not told of an approval, by the leg that was to tell it. */
export const withheldOperation = (runId: string, epoch: number): string => `withheld-${runId}-${epoch}`;
/** What had been approved before a run was started over. */
export const startedOverOperation = (runId: string): string => `started-over-${runId}`;
/** A card that only informs, by a digest of what it says: later legs of its run often repeat it. */
export const cardNoticeOperation = (runId: string, digest: string): string => `info-card-${runId}-${digest}`;
/** Which of a request's files could not be used. */
export const filesOperation = (runId: string): string => `files-${runId}`;
/** The messages that change when a pause ends. The reminder may never have been posted. */
export const pauseOperations = (pauseId: string): string[] => [cardOperation(pauseId), reminderOperation(pauseId)];

/** A message in a run's thread. */
export function runMessage(
  run: { id: string; thread: ThreadRef },
  message: Pick<NewOutboxMessage, 'operationId' | 'kind'> &
    Partial<Pick<NewOutboxMessage, 'pauseId' | 'part' | 'parts' | 'text' | 'card'>>,
): NewOutboxMessage {
  return {
    operationId: message.operationId,
    kind: message.kind,
    channelId: run.thread.channelId,
    threadTs: run.thread.threadTs,
    runId: run.id,
    pauseId: message.pauseId ?? null,
    part: message.part ?? 0,
    parts: message.parts ?? 1,
    text: message.text ?? null,
    card: message.card ?? null,
  };
}

/** A message of the bot's own words, said once. */
export function notice(
  where: { channelId: string; threadTs: string | null },
  message: { operationId: string; text: string; runId?: string; pauseId?: string },
): NewOutboxMessage {
  return {
    operationId: message.operationId,
    kind: 'notice',
    channelId: where.channelId,
    threadTs: where.threadTs,
    runId: message.runId ?? null,
    pauseId: message.pauseId ?? null,
    part: 0,
    parts: 1,
    text: message.text,
    card: null,
  };
}
