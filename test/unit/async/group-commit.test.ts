import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createGroupCommit } from '../../../src/async/group-commit.ts';

/** A flush that waits until it is told how it went, and notes what it was given. */
function createManualFlush() {
  const batches: number[][] = [];
  const gates: Array<(error?: Error) => void> = [];
  return {
    batches,
    flush: (items: number[]) =>
      new Promise<number[]>((resolve, reject) => {
        batches.push(items);
        gates.push((error) => (error ? reject(error) : resolve(items.map((item) => item * 10))));
      }),
    /** Ends the oldest flush under way, once there is one. */
    async end(error?: Error): Promise<void> {
      while (gates.length === 0) await nextTurn();
      gates.shift()?.(error);
    },
  };
}

describe('group commit', () => {
  it('flushes items that come together at once, and gives each its own result', async () => {
    const manual = createManualFlush();
    const commit = createGroupCommit({ flush: manual.flush, maxBatch: 10 });
    const results = Promise.all([commit.submit(1), commit.submit(2), commit.submit(3)]);
    await manual.end();
    expect(await results).toEqual([10, 20, 30]);
    expect(manual.batches).toEqual([[1, 2, 3]]);
  });

  it('collects what comes during a flush into the next one', async () => {
    const manual = createManualFlush();
    const commit = createGroupCommit({ flush: manual.flush, maxBatch: 10 });
    const first = commit.submit(1);
    while (manual.batches.length === 0) await nextTurn();
    const rest = [commit.submit(2), commit.submit(3)];
    await nextTurn();
    expect(manual.batches).toEqual([[1]]);
    await manual.end();
    await first;
    await manual.end();
    expect(await Promise.all(rest)).toEqual([20, 30]);
    expect(manual.batches).toEqual([[1], [2, 3]]);
  });

  it('takes no more than a full batch at once', async () => {
    const manual = createManualFlush();
    const commit = createGroupCommit({ flush: manual.flush, maxBatch: 2 });
    const results = Promise.all([1, 2, 3, 4, 5].map((item) => commit.submit(item)));
    for (let batch = 0; batch < 3; batch++) await manual.end();
    expect(await results).toEqual([10, 20, 30, 40, 50]);
    expect(manual.batches).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('rejects the items of a failed flush and no others', async () => {
    const manual = createManualFlush();
    const commit = createGroupCommit({ flush: manual.flush, maxBatch: 2 });
    const outcomes = Promise.allSettled([1, 2, 3].map((item) => commit.submit(item)));
    await manual.end(new Error('disk full'));
    await manual.end();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    const later = commit.submit(4);
    await manual.end();
    expect(await later).toBe(40);
  });

  it('rejects a batch whose flush did not answer every item', async () => {
    const commit = createGroupCommit({ flush: async () => [1], maxBatch: 10 });
    const outcomes = await Promise.allSettled([commit.submit('a'), commit.submit('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('drains when all that was submitted is flushed', async () => {
    const manual = createManualFlush();
    const commit = createGroupCommit({ flush: manual.flush, maxBatch: 1 });
    await commit.drain();
    const submitted = Promise.all([commit.submit(1), commit.submit(2)]);
    let isDrained = false;
    const drained = commit.drain().then(() => {
      isDrained = true;
    });
    await manual.end();
    await nextTurn();
    expect(isDrained).toBe(false);
    await manual.end();
    await drained;
    expect(await submitted).toEqual([10, 20]);
  });
});
