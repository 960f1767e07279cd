import type { OutboxMessage } from '../domain/outbox.ts';
import type { Chat, MessageContent, PostTarget } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { OutboxStore } from '../domain/ports/store.ts';
import { errorMessage, SlackError } from '../errors.ts';
import type { Drawing } from './draw-message.ts';

/** Longer than any one call to Slack, so that a lease never ends under a delivery that is still going on. */
const LEASE_MS = 60_000;
const PARALLEL = 20;
const RETRY_BASE_MS = 1000;
const RETRY_MAX_MS = 60_000;
const POSTED_POLL_MS = 250;

/**
 * Makes Slack show what the outbox says it shall show.
 *
 * Owns a small pool of deliveries under way. A post is made once: a row that was tried before and has no ts is first
 * looked for in Slack by its operation id. What fails for now is left to the sweep, with backoff or Slack's own
 * `Retry-After`; what Slack refuses for good is given up and logged.
 */
export type Deliverer = {
  /** Delivers these in order, soon; the caller does not wait. */
  kick(...operationIds: string[]): void;
  /** Delivers one now. @throws {SlackError} when Slack refuses it for good */
  deliver(operationId: string): Promise<void>;
  /** The ts of a message as soon as it is posted, by whichever process. Rejects when the signal aborts. */
  posted(operationId: string, signal: AbortSignal): Promise<string>;
  /** Resolves when nothing is under way. */
  drain(): Promise<void>;
};

export function createDeliverer(deps: {
  outbox: OutboxStore;
  chat: Chat;
  draw: (message: OutboxMessage) => Promise<Drawing | null>;
  logger: Logger;
}): Deliverer {
  const waiting: string[][] = [];
  const active = new Set<Promise<void>>();

  function pump(): void {
    while (active.size < PARALLEL) {
      const chain = waiting.shift();
      if (!chain) return;
      const work: Promise<void> = deliverChain(chain).finally(() => {
        active.delete(work);
        pump();
      });
      active.add(work);
    }
  }

  async function deliverChain(operationIds: readonly string[]): Promise<void> {
    for (const operationId of operationIds) {
      try {
        await deliver(operationId);
      } catch (error) {
        deps.logger.warn({ operationId, err: error }, 'delivery_failed');
        return;
      }
    }
  }

  async function deliver(operationId: string): Promise<void> {
    const message = await deps.outbox.claim(operationId, LEASE_MS);
    if (!message) return;
    try {
      const drawing = await deps.draw(message);
      if (drawing) {
        const ts = await showMessage(deps.chat, message, drawing);
        await deps.outbox.shown(operationId, { ts, rev: message.wantedRev });
      } else {
        await deps.outbox.failed(operationId, { reason: 'nothing to show', retryAfterMs: null });
      }
    } catch (error) {
      await deps.outbox.failed(operationId, {
        reason: errorMessage(error),
        retryAfterMs: retryAfterMs(error, message),
      });
      throw error;
    }
  }

  return {
    kick(...operationIds) {
      waiting.push(operationIds);
      pump();
    },
    deliver,
    posted: (operationId, signal) => waitPosted({ outbox: deps.outbox, operationId, signal }),
    async drain() {
      while (active.size > 0) await Promise.allSettled(active);
    },
  };
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
