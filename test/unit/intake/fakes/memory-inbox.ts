import type { InboxEntry, InboxStore } from '../../../../src/domain/ports/store.ts';

export interface MemoryInbox extends InboxStore {
  keys(): string[];
  isProcessed(key: string): boolean;
  /** Makes calls of `put` from now on wait for the promise first. */
  holdPuts(until: Promise<unknown>): void;
  failPuts(error: Error | null): void;
  failMarks(error: Error | null): void;
}

/** An inbox in memory: unique keys, attempts counted, rows due at once unless `olderThanMs` says otherwise. */
export function createMemoryInbox(nowMs: () => number = Date.now): MemoryInbox {
  const rows = new Map<string, { entry: InboxEntry; processed: boolean; attempts: number; receivedAtMs: number }>();
  let held: Promise<unknown> = Promise.resolve();
  let putError: Error | null = null;
  let markError: Error | null = null;

  return {
    keys: () => [...rows.keys()],
    isProcessed: (key) => rows.get(key)?.processed ?? false,
    holdPuts(until) {
      held = until;
    },
    failPuts(error) {
      putError = error;
    },
    failMarks(error) {
      markError = error;
    },
    async put(entry) {
      await held;
      if (putError) throw putError;
      if (rows.has(entry.key)) return false;
      rows.set(entry.key, { entry, processed: false, attempts: 0, receivedAtMs: nowMs() });
      return true;
    },
    async markProcessed(key) {
      if (markError) throw markError;
      const row = rows.get(key);
      if (!row) throw new Error(`no row ${key}`);
      row.processed = true;
    },
    async takeUnprocessed({ olderThanMs, maxAttempts, limit }) {
      const due = [...rows.values()].filter(
        (row) => !row.processed && row.attempts < maxAttempts && nowMs() - row.receivedAtMs >= olderThanMs,
      );
      for (const row of due.slice(0, limit)) row.attempts += 1;
      return due.slice(0, limit).map((row) => row.entry);
    },
    async prune() {
      throw new Error('not set up');
    },
  };
}
