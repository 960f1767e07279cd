import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPosted } from '../../../src/runner/posted.ts';
import { owedStatus } from './owed-status.ts';

const OPERATION = 'status-run';

/** One message of an outbox, posted or not, and how often somebody looked. */
function createOutbox() {
  const message = owedStatus({ operationId: OPERATION });
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
