import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OutboxMessage } from '../../../src/domain/outbox.ts';
import { createPosted } from '../../../src/runner/posted.ts';

const OPERATION = 'status-run';

/** One message of an outbox, posted or not, and how often somebody looked. */
function createOutbox() {
  const message: OutboxMessage = {
    operationId: OPERATION,
    kind: 'status',
    channelId: 'C1',
    threadTs: '1.000001',
    runId: 'run',
    pauseId: null,
    part: 0,
    parts: 1,
    text: null,
    card: null,
    ts: null,
    wantedRev: 1,
    shownRev: 0,
    attempts: 0,
  };
  const outbox = {
    looks: 0,
    message,
    async get(operationId: string) {
      outbox.looks += 1;
      return operationId === OPERATION ? outbox.message : null;
    },
  };
  return outbox;
}

describe('waiting for a message to be posted', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('looks at once when this process has posted it', async () => {
    const outbox = createOutbox();
    const posted = createPosted(outbox);
    const waiting = posted.wait(OPERATION, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(0);
    outbox.message.ts = '2.000002';
    posted.tell(OPERATION);
    expect(await waiting).toBe('2.000002');
    expect(outbox.looks).toBe(2);
  });

  it('finds what another process posted, and looks ever more rarely', async () => {
    const outbox = createOutbox();
    const waiting = createPosted(outbox).wait(OPERATION, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(outbox.looks).toBeLessThan(20);
    outbox.message.ts = '2.000002';
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await waiting).toBe('2.000002');
  });

  it('ends when nobody needs it any more', async () => {
    const controller = new AbortController();
    const waiting = createPosted(createOutbox()).wait(OPERATION, controller.signal);
    await vi.advanceTimersByTimeAsync(0);
    controller.abort(new Error('the leg is over'));
    await expect(waiting).rejects.toThrow('the leg is over');
    expect(vi.getTimerCount()).toBe(0);
  });
});
