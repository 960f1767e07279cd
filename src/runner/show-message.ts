import type { AuditEntry } from '../domain/audit.ts';
import type { OutboxMessage } from '../domain/outbox.ts';
import type { Chat, MessageContent, TextFile } from '../domain/ports/chat.ts';
import type { OutboxStore } from '../domain/ports/store.ts';
import { errorMessage, SlackError } from '../errors.ts';

/** What a killed process was sending is taken up after this long; short, because the thread shows an old state. */
const LEASE_MS = 20_000;
const RENEW_MS = 5_000;

const RETRY_BASE_MS = 1000;
const RETRY_MAX_MS = 60_000;
/** An operator can give the app the scope that it lacks: the message stays owed, and asks rarely. */
const SCOPE_RETRY_MS = 600_000;

/**
 * What an outbox row looks like now: a message, or a file. A message is posted `once`, and stays gone if somebody
 * deletes it; one that people have to see in any case is then posted `again`; one that only sets right what people see
 * already is `never` posted for that, only edited.
 */
export type Drawing =
  | { kind: 'message'; content: MessageContent; posting?: 'once' | 'again' | 'never' }
  | { kind: 'file'; file: TextFile };

export type ShowDeps = {
  outbox: OutboxStore;
  chat: Chat;
  draw: (message: OutboxMessage) => Promise<Drawing | null>;
  /** A run's status message has no thread to stand in any more. */
  onThreadGone: (runId: string) => Promise<void>;
};

/**
 * Claims a message that is owed, shows it as it stands now, and notes what came of it. A post is made once: a row that
 * was tried before and has no ts is first looked for in Slack by its operation id.
 *
 * `isPaced` keeps the edit interval of a status message. Resolves with how long it still has to wait for that, in
 * milliseconds; 0 when it is shown, or there was nothing to show.
 *
 * @throws {SlackError} when Slack does not show it, now or for good
 */
export async function showOwed(
  deps: ShowDeps,
  { operationId, isPaced }: { operationId: string; isPaced: boolean },
): Promise<number> {
  const message = await deps.outbox.claim(operationId, LEASE_MS);
  if (!message) return 0;
  try {
    const shown = await whileLeased(deps.outbox, operationId, () => show(deps, message, isPaced));
    if (shown && 'waitMs' in shown) {
      await deps.outbox.failed(operationId, { reason: 'edited a moment ago', retryAfterMs: 0 });
      return shown.waitMs;
    }
    if (shown) await deps.outbox.shown(operationId, { rev: message.wantedRev, ...shown });
    else await deps.outbox.failed(operationId, { reason: 'nothing to show', retryAfterMs: null });
    return 0;
  } catch (error) {
    await deps.outbox.failed(operationId, { reason: errorMessage(error), retryAfterMs: retryAfterMs(error, message) });
    const isGone = error instanceof SlackError && error.code === 'slack_thread_gone';
    if (isGone && message.kind === 'status' && message.runId !== null) await deps.onThreadGone(message.runId);
    throw error;
  }
}

/** Keeps the lease while sending goes on, so that it can be far shorter than the longest call to Slack. */
async function whileLeased<Result>(
  outbox: Pick<OutboxStore, 'renew'>,
  operationId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // A renewal that fails is made up for by the next.
  const timer = setInterval(() => outbox.renew(operationId, LEASE_MS).catch(() => undefined), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

async function show(
  { chat, draw }: ShowDeps,
  message: OutboxMessage,
  isPaced: boolean,
): Promise<{ ts: string; said?: AuditEntry } | { waitMs: number } | null> {
  const drawing = await draw(message);
  if (message.kind === 'status' && message.ts) {
    // Asked at the last moment: a writer may have begun while this was drawn, or have ended with an edit of its own.
    const { isLive, waitMs } = chat.statusPace({ channelId: message.channelId, ts: message.ts });
    // What a leg's writer shows is newer than what is stored; an edit from the store would set it back.
    if (isLive) return { ts: message.ts };
    if (isPaced && waitMs > 0) return { waitMs };
  }
  if (!drawing) return null;
  const ts = await showDrawing(chat, message, drawing);
  if (ts === null) return null;
  return message.kind === 'card' && drawing.kind === 'message'
    ? { ts, said: shownEntry(message, { ts, content: drawing.content }) }
    : { ts };
}

/** What people saw before they decided, and after. */
function shownEntry(message: OutboxMessage, { ts, content }: { ts: string; content: MessageContent }): AuditEntry {
  const { runId, pauseId, wantedRev: rev } = message;
  const details = { ts, rev, text: content.text, said: wordsOf(content.blocks) };
  return { kind: 'card_shown', runId, pauseId, actorId: null, reason: `revision ${rev}`, details };
}

/** The texts of blocks in their order, and the addresses that they lead to. */
function wordsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? (WORDS.has(key) ? [inner] : []) : wordsOf(inner),
  );
}

/** Where Block Kit holds what people read. */
const WORDS: ReadonlySet<string> = new Set(['text', 'alt_text', 'image_url', 'url']);

async function showDrawing(chat: Chat, message: OutboxMessage, drawing: Drawing): Promise<string | null> {
  const ts = message.ts ?? (await findEarlier(chat, message));
  if (drawing.kind === 'file') return ts ?? chat.uploadText(message, drawing.file);
  if (ts === null) return drawing.posting === 'never' ? null : chat.post(message, drawing.content);
  try {
    // One found in Slack, too, may show an older state than the one now wanted.
    await chat.update({ channelId: message.channelId, ts }, drawing.content);
    return ts;
  } catch (error) {
    if (drawing.posting !== 'again' || !(error instanceof SlackError) || error.code !== 'slack_message_gone')
      throw error;
    return (await findEarlier(chat, message)) ?? chat.post(message, drawing.content);
  }
}

/** An earlier attempt may have reached Slack without our learning of it. */
async function findEarlier(chat: Chat, message: OutboxMessage): Promise<string | null> {
  return message.attempts > 1 ? chat.findPosted(message) : null;
}

function retryAfterMs(error: unknown, message: OutboxMessage): number | null {
  if (error instanceof SlackError && error.slackCode === 'missing_scope') return SCOPE_RETRY_MS;
  if (error instanceof SlackError && !error.retryable) return null;
  const backoffMs = Math.min(RETRY_BASE_MS * 2 ** Math.min(message.attempts, 10), RETRY_MAX_MS);
  return error instanceof SlackError ? (error.retryAfterMs ?? backoffMs) : backoffMs;
}

/**
 * How long the edit of a status message has to wait: for its interval, so that two are never closer however they came
 * about (contract C10), and while Slack takes no edits (C13). Posts and all other messages never wait.
 */
export async function statusWaitMs(
  deps: { outbox: OutboxStore; chat: Pick<Chat, 'statusPace'> },
  { operationId, isHurried }: { operationId: string; isHurried: boolean },
): Promise<number> {
  const message = await deps.outbox.get(operationId);
  if (message?.kind !== 'status' || message.ts === null) return 0;
  const { waitMs, limitedMs, isLive } = deps.chat.statusPace({ channelId: message.channelId, ts: message.ts });
  return Math.max(limitedMs, isHurried || isLive ? 0 : waitMs);
}
