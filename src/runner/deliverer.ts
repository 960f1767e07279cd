import type { OutboxMessage } from '../domain/outbox.ts';
import type { Chat, MessageContent, PostTarget } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { OutboxStore } from '../domain/ports/store.ts';
import { errorMessage, SlackError } from '../errors.ts';
import type { Drawing } from './draw-message.ts';
import { LEASE_MS, whileLeased } from './lease.ts';

const PARALLEL = 20;
const RETRY_BASE_MS = 1000;
const RETRY_MAX_MS = 60_000;
const POSTED_POLL_MS = 250;

/** How an edit of a status message is held back: by its interval and a 429; by a 429 only; by nothing. */
type Pace = 'kept' | 'hurried' | 'none';

/**
 * Makes Slack show what the outbox says it shall show.
 *
 * Owns a small pool of deliveries under way, and a timer per status message whose edit is held back. A post is made once: a row that was tried before and has no ts is first
 * looked for in Slack by its operation id. What fails for now is left to the sweep, with backoff or Slack's own
 * `Retry-After`; what Slack refuses for good is given up and logged.
 */
export type Deliverer = {
  /** Delivers these in order, soon, a status message when its edit interval has passed; the caller does not wait. */
  kick(...operationIds: string[]): void;
  /** The same for one message that somebody waits for: not held back by its edit interval. */
  kickNow(operationId: string): void;
  /** Delivers one now. @throws {SlackError} when Slack refuses it for good */
  deliver(operationId: string): Promise<void>;
  /** The ts of a message as soon as it is posted, by whichever process. Rejects when the signal aborts. */
  posted(operationId: string, signal: AbortSignal): Promise<string>;
  /** Delivers at once what was held back; resolves when nothing is under way. */
  drain(): Promise<void>;
};

type DelivererDeps = {
  outbox: OutboxStore;
  chat: Chat;
  draw: (message: OutboxMessage) => Promise<Drawing | null>;
  giveWay: () => Promise<void>;
  logger: Logger;
};

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const waiting: Array<() => Promise<void>> = [];
  const heldBack = new Map<string, NodeJS.Timeout>();
  const active = new Set<Promise<void>>();

  function pump(): void {
    while (active.size < PARALLEL) {
      const start = waiting.shift();
      if (!start) return;
      const work: Promise<void> = start().finally(() => {
        active.delete(work);
        pump();
      });
      active.add(work);
    }
  }

  async function deliverChain(operationIds: readonly string[], pace: Pace): Promise<void> {
    if (pace === 'kept') await deps.giveWay();
    for (const operationId of operationIds) {
      try {
        await deliverPaced(operationId, pace);
      } catch (error) {
        deps.logger.warn({ operationId, err: error }, 'delivery_failed');
        return;
      }
    }
  }

  function enqueue(start: () => Promise<void>): void {
    waiting.push(start);
    pump();
  }

  async function deliverPaced(operationId: string, pace: Pace): Promise<void> {
    if (heldBack.has(operationId) && pace === 'kept') return;
    const waitMs = pace === 'none' ? 0 : await statusWaitMs(deps, { operationId, pace });
    if (waitMs === 0) return deliver(operationId);
    release(operationId);
    const timer = setTimeout(() => {
      heldBack.delete(operationId);
      enqueue(() => deliverChain([operationId], pace));
    }, waitMs);
    heldBack.set(operationId, timer);
  }

  function release(operationId: string): void {
    clearTimeout(heldBack.get(operationId));
    heldBack.delete(operationId);
  }

  async function deliver(operationId: string): Promise<void> {
    release(operationId);
    await deliverOne(deps, operationId);
  }

  return {
    kick: (...operationIds) => enqueue(() => deliverChain(operationIds, 'kept')),
    kickNow: (operationId) => enqueue(() => deliverChain([operationId], 'hurried')),
    deliver,
    posted: (operationId, signal) => waitPosted({ outbox: deps.outbox, operationId, signal }),
    async drain() {
      while (active.size + heldBack.size > 0) {
        for (const operationId of heldBack.keys()) enqueue(() => deliverChain([operationId], 'none'));
        heldBack.forEach(clearTimeout);
        heldBack.clear();
        await Promise.allSettled(active);
      }
    },
  };
}

/** Claims a message that is owed, shows it as it stands now, and notes what came of it. */
async function deliverOne(deps: DelivererDeps, operationId: string): Promise<void> {
  const message = await deps.outbox.claim(operationId, LEASE_MS);
  if (!message) return;
  try {
    const ts = await whileLeased(deps.outbox, operationId, () => show(deps, message));
    if (ts) await deps.outbox.shown(operationId, { ts, rev: message.wantedRev });
    else await deps.outbox.failed(operationId, { reason: 'nothing to show', retryAfterMs: null });
  } catch (error) {
    await deps.outbox.failed(operationId, { reason: errorMessage(error), retryAfterMs: retryAfterMs(error, message) });
    throw error;
  }
}

async function show(deps: DelivererDeps, message: OutboxMessage): Promise<string | null> {
  const drawing = await deps.draw(message);
  // Asked at the last moment: a writer may have begun while this was drawn.
  if (message.ts && isKeptUpToDate(deps.chat, message, message.ts)) return message.ts;
  return drawing && showMessage(deps.chat, message, drawing);
}

/**
 * How long the edit of a status message has to wait: for its interval, so that two are never closer however they came
 * about (contract C10), and while Slack takes no edits (C13). Posts and all other messages never wait.
 */
async function statusWaitMs(
  deps: { outbox: OutboxStore; chat: Pick<Chat, 'statusPace'> },
  { operationId, pace }: { operationId: string; pace: Pace },
): Promise<number> {
  const message = await deps.outbox.get(operationId);
  if (message?.kind !== 'status' || message.ts === null) return 0;
  const { waitMs, limitedMs, isLive } = deps.chat.statusPace({ channelId: message.channelId, ts: message.ts });
  return Math.max(limitedMs, pace === 'hurried' || isLive ? 0 : waitMs);
}

/** What a leg's writer shows is newer than what is stored; an edit from the store would set it back. */
function isKeptUpToDate(chat: Pick<Chat, 'statusPace'>, message: OutboxMessage, ts: string): boolean {
  return message.kind === 'status' && chat.statusPace({ channelId: message.channelId, ts }).isLive;
}

function retryAfterMs(error: unknown, message: OutboxMessage): number | null {
  if (error instanceof SlackError && !error.retryable) return null;
  const backoffMs = Math.min(RETRY_BASE_MS * 2 ** Math.min(message.attempts, 10), RETRY_MAX_MS);
  return error instanceof SlackError ? (error.retryAfterMs ?? backoffMs) : backoffMs;
}

async function showMessage(chat: Chat, message: OutboxMessage, drawing: Drawing): Promise<string> {
  if (message.ts && drawing.kind === 'message') {
    await chat.update({ channelId: message.channelId, ts: message.ts }, drawing.content);
    return message.ts;
  }
  const target: PostTarget = message;
  const earlier = message.attempts > 1 ? await chat.findPosted(target) : null;
  if (drawing.kind === 'file') return earlier ?? (await chat.uploadText(target, drawing.file));
  return earlier
    ? await adopt(chat, { channelId: message.channelId, ts: earlier }, drawing.content)
    : chat.post(target, drawing.content);
}

/** A message found in Slack may show an older state than the one now wanted. */
async function adopt(chat: Chat, found: { channelId: string; ts: string }, content: MessageContent): Promise<string> {
  await chat.update(found, content);
  return found.ts;
}

/** Polls, because the post may be another process's; ends with the leg that needs it. */
async function waitPosted(wait: { outbox: OutboxStore; operationId: string; signal: AbortSignal }): Promise<string> {
  for (;;) {
    wait.signal.throwIfAborted();
    const message = await wait.outbox.get(wait.operationId);
    if (message?.ts) return message.ts;
    await pauseFor(POSTED_POLL_MS, wait.signal);
  }
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
