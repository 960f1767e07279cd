import { createWorkPool } from '../async/work-pool.ts';
import type { Logger } from '../domain/ports/logger.ts';
import { SlackError } from '../errors.ts';
import { createPosted } from './posted.ts';
import { type ShowDeps, showOwed, statusWaitMs } from './show-message.ts';

const PARALLEL = 20;

/** How an edit of a status message is held back: by its interval and a 429; by a 429 only; by nothing. */
type Pace = 'kept' | 'hurried' | 'none';

/**
 * Makes Slack show what the outbox says it shall show.
 *
 * Owns a small pool of messages on their way, and a timer per status message whose edit is held back. What fails for
 * now is left to the sweep, with backoff or Slack's own `Retry-After`; what Slack refuses for good is given up and
 * logged.
 */
export type OutboxSender = {
  /** Sends these in order, soon, a status message when its edit interval has passed; the caller does not wait. */
  sendSoon(...operationIds: string[]): void;
  /** The same for one message that somebody waits for: not held back by its edit interval. */
  sendNow(operationId: string): void;
  /** Sends one and waits for it. @throws {SlackError} when Slack refuses it for good */
  send(operationId: string): Promise<void>;
  /** The ts of a message as soon as it is posted, by whichever process. Rejects when the signal aborts. */
  posted(operationId: string, signal: AbortSignal): Promise<string>;
  /** Sends at once what was held back; resolves when nothing is under way. */
  drain(): Promise<void>;
};

type OutboxSenderDeps = ShowDeps & { giveWay: () => Promise<void>; logger: Logger };

export function createOutboxSender(deps: OutboxSenderDeps): OutboxSender {
  const pool = createWorkPool(PARALLEL);
  const heldBack = new Map<string, NodeJS.Timeout>();
  /** What waits for its turn: it is drawn when that comes, so waiting twice would show nothing more. */
  const inLine = new Set<string>();
  const posted = createPosted(deps.outbox);

  async function sendChain(operationIds: readonly string[], pace: Pace): Promise<void> {
    for (const operationId of operationIds) {
      try {
        await sendPaced(operationId, pace);
      } catch (error) {
        logNotShown(error, operationId);
        return;
      }
    }
  }

  /** That the token is refused is said once, by whoever calls Slack. */
  function logNotShown(err: unknown, operationId: string): void {
    const isToldAlready = err instanceof SlackError && err.code === 'slack_token_refused';
    deps.logger[isToldAlready ? 'debug' : 'warn']({ operationId, err }, 'message_not_shown');
  }

  async function sendPaced(operationId: string, pace: Pace): Promise<void> {
    if (heldBack.has(operationId) && pace === 'kept') return;
    const dueInMs = pace === 'none' ? 0 : await statusWaitMs(deps, { operationId, isHurried: pace === 'hurried' });
    const waitMs = dueInMs > 0 ? dueInMs : await showNow(operationId, pace);
    if (waitMs === 0) return;
    release(operationId);
    const timer = setTimeout(() => {
      heldBack.delete(operationId);
      pool.add(() => sendChain([operationId], pace));
    }, waitMs);
    heldBack.set(operationId, timer);
  }

  function release(operationId: string): void {
    clearTimeout(heldBack.get(operationId));
    heldBack.delete(operationId);
  }

  /** How long it still has to wait; 0 when it is shown. */
  async function showNow(operationId: string, pace: Pace): Promise<number> {
    release(operationId);
    const waitMs = await showOwed(deps, { operationId, isPaced: pace === 'kept' });
    posted.tell(operationId);
    return waitMs;
  }

  return {
    sendSoon(...operationIds) {
      const fresh = operationIds.filter((operationId) => !inLine.has(operationId));
      if (fresh.length === 0) return;
      for (const operationId of fresh) inLine.add(operationId);
      pool.add(async () => {
        await deps.giveWay();
        for (const operationId of fresh) inLine.delete(operationId);
        await sendChain(fresh, 'kept');
      });
    },
    sendNow: (operationId) => pool.add(() => sendChain([operationId], 'hurried')),
    send: (operationId) => showNow(operationId, 'none').then(() => undefined),
    posted: posted.wait,
    async drain() {
      while (pool.size + heldBack.size > 0) {
        for (const operationId of heldBack.keys()) pool.add(() => sendChain([operationId], 'none'));
        heldBack.forEach(clearTimeout);
        heldBack.clear();
        await pool.settled();
      }
    },
  };
}
