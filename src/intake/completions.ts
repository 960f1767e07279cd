import type { Logger } from '../domain/ports/logger.ts';
import type { InboxStore } from '../domain/ports/store.ts';
import { errorMessage } from '../errors.ts';

export interface Completions {
  /** Resolves when the row is marked, or when that failed: the row is then worked on again, which does no harm. */
  add(key: string): Promise<void>;
}

/** Marks inbox rows as processed; those that finish while a statement is under way share the next one. */
export function createCompletions({ inbox, logger }: { inbox: InboxStore; logger: Logger }): Completions {
  let waiting: string[] = [];
  let marking: Promise<void> | null = null;

  async function markWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const keys = waiting;
      waiting = [];
      try {
        await inbox.markProcessed(keys);
      } catch (error) {
        logger.warn({ rows: keys.length, error: errorMessage(error) }, 'inbox_mark_failed');
      }
    }
    marking = null;
  }

  return {
    add(key) {
      waiting.push(key);
      marking ??= markWaiting();
      return marking;
    },
  };
}
