import type { ThreadRef } from './thread.ts';

/** What a message of the bot shows. All but `notice` are drawn from the run or pause as it stands when shown. */
export type OutboxKind = 'status' | 'answer' | 'card' | 'notice';

/**
 * A message that Slack has to show. The database says what should be visible (`wantedRev`) and what is (`shownRev`);
 * a row whose two differ is owed, and is delivered again until it is shown or refused for good.
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
  /** Which part of a long answer, from 0; 0 for all else. */
  part: number;
  /** Text of a notice; null for kinds drawn from the run or pause. */
  text: string | null;
  /** ts of the Slack message once posted. */
  ts: string | null;
  wantedRev: number;
  shownRev: number;
  /** Deliveries tried; above 0 with no `ts`, an earlier post may have reached Slack. */
  attempts: number;
};

/** What a caller says of a message it owes; the rest is the store's. */
export type NewOutboxMessage = Pick<
  OutboxMessage,
  'operationId' | 'kind' | 'channelId' | 'threadTs' | 'runId' | 'pauseId' | 'part' | 'text'
>;

export const statusOperation = (runId: string): string => `status-${runId}`;
export const answerOperation = (runId: string, part: number): string => `answer-${runId}-${part}`;
export const cardOperation = (pauseId: string): string => `card-${pauseId}`;

/** A message in a run's thread that is drawn from the run or one of its pauses. */
export function runMessage(
  run: { id: string; thread: ThreadRef },
  message: Pick<NewOutboxMessage, 'operationId' | 'kind'> & { pauseId?: string; part?: number },
): NewOutboxMessage {
  return {
    operationId: message.operationId,
    kind: message.kind,
    channelId: run.thread.channelId,
    threadTs: run.thread.threadTs,
    runId: run.id,
    pauseId: message.pauseId ?? null,
    part: message.part ?? 0,
    text: null,
  };
}
