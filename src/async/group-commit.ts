import { setImmediate as afterPendingIo } from 'node:timers/promises';

type Waiting<T, R> = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };

/** Collects what arrives together and hands it on as one batch. */
export type GroupCommit<T, R> = {
  /** Resolves with this item's own result once its batch is flushed; rejects when that flush failed. */
  submit(item: T): Promise<R>;
  /** Resolves when nothing waits and no flush is under way. */
  drain(): Promise<void>;
};

/**
 * Group commit: one flush at a time, each with all that arrived during the one before it, at most `maxBatch`. Under
 * load the batches grow by themselves; alone, an item waits for nobody.
 *
 * `flush` answers in the order of its items. A failed flush rejects the items of its batch and no others.
 */
export function createGroupCommit<T, R>(options: {
  flush: (items: T[]) => Promise<R[]>;
  maxBatch: number;
}): GroupCommit<T, R> {
  const waiting: Waiting<T, R>[] = [];
  let flushing: Promise<void> | undefined;

  async function flushAll(): Promise<void> {
    while (waiting.length > 0) await flushBatch(options.flush, waiting.splice(0, options.maxBatch));
    flushing = undefined;
  }

  return {
    submit(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // Started after pending I/O, so that what arrives in one turn of the event loop is flushed together.
        flushing ??= afterPendingIo().then(flushAll);
      });
    },
    async drain() {
      while (flushing) await flushing;
    },
  };
}

async function flushBatch<T, R>(flush: (items: T[]) => Promise<R[]>, batch: Waiting<T, R>[]): Promise<void> {
  try {
    const results = await flush(batch.map(({ item }) => item));
    if (results.length !== batch.length) {
      throw new RangeError(`A flush of ${batch.length} items gave ${results.length} results`);
    }
    // The lengths were just compared, so every index has a result.
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
