import { setImmediate as afterPendingIo } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAckPressure } from '../../../src/async/ack-pressure.ts';

const NEVER = new Promise<void>(() => {});

function createDeferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('ack pressure', () => {
  let nowMs = 0;

  beforeEach(() => {
    nowMs = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => vi.useRealTimers());

  async function pass(ms: number): Promise<void> {
    nowMs += ms;
    await vi.advanceTimersByTimeAsync(ms);
    await afterPendingIo();
  }

  /** So many pieces of work that want to begin; how many have. */
  function ask(giveWay: () => Promise<void>, count: number): { readonly begun: number } {
    const asked = { begun: 0 };
    for (let index = 0; index < count; index += 1) {
      giveWay().then(() => {
        asked.begun += 1;
      }, expect.unreachable);
    }
    return asked;
  }

  it('lets work begin at once while hardly anybody waits for an ack', async () => {
    const pressure = createAckPressure(() => nowMs);
    pressure.during(NEVER);
    pressure.during(NEVER);
    const work = ask(pressure.giveWay, 5);
    await afterPendingIo();
    await afterPendingIo();
    expect(work.begun).toBe(5);
  });

  it('holds work back while a crowd waits for its acks, but not for ever', async () => {
    const pressure = createAckPressure(() => nowMs);
    for (let index = 0; index < 3; index += 1) pressure.during(NEVER);
    const work = ask(pressure.giveWay, 25);
    await pass(900);
    expect(work.begun).toBeLessThanOrEqual(10);
    for (let second = 0; second < 4; second += 1) await pass(1000);
    expect(work.begun).toBe(25);
  });

  it('lets everything go on when the crowd was acknowledged', async () => {
    const pressure = createAckPressure(() => nowMs);
    const acks = Array.from({ length: 3 }, createDeferred);
    for (const ack of acks) pressure.during(ack.promise);
    const work = ask(pressure.giveWay, 50);
    for (const ack of acks) ack.resolve();
    await pass(0);
    await pass(300);
    expect(work.begun).toBe(50);
  });

  it('counts a delivery that was refused as no longer waiting', async () => {
    const pressure = createAckPressure(() => nowMs);
    for (let index = 0; index < 5; index += 1) pressure.during(Promise.reject(new Error('the store is down')));
    await afterPendingIo();
    await pass(300);
    const work = ask(pressure.giveWay, 5);
    await afterPendingIo();
    await afterPendingIo();
    expect(work.begun).toBe(5);
  });
});
