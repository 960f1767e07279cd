import type { ReceiverEvent } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { createAckPressure } from '../../../../src/async/ack-pressure.ts';
import { NO_TELEMETRY } from '../../../../src/domain/ports/telemetry.ts';
import { createDeliveries, type DeliveriesOptions } from '../../../../src/intake/inbox/deliveries.ts';
import { eventually } from '../fakes/eventually.ts';
import { createMemoryInbox } from '../fakes/memory-inbox.ts';
import { createMemoryLogger } from '../fakes/memory-logger.ts';
import { clickBody, eventBody, mentionEvent, messageEvent } from '../fakes/payloads.ts';

const KEY = 'msg:T1:C1:1700000000.000100';

function setUp(options: Partial<DeliveriesOptions> = {}) {
  const inbox = createMemoryInbox();
  const logger = createMemoryLogger();
  const processed: ReceiverEvent[] = [];
  const acks: unknown[] = [];
  const ackTimes: number[] = [];
  const deliveries = createDeliveries({
    inbox,
    process: async (event) => {
      processed.push(event);
    },
    botUserId: () => 'UBOT',
    logger,
    telemetry: { ...NO_TELEMETRY, ackTook: (ms) => ackTimes.push(ms) },
    pressure: createAckPressure(),
    replayAfterMs: 0,
    ...options,
  });
  const take = (body: Record<string, unknown>) =>
    deliveries.take({
      body,
      receivedAtMs: performance.now(),
      ack: async (response) => {
        acks.push(response);
      },
    });
  return { inbox, logger, processed, acks, ackTimes, deliveries, take };
}

describe('a delivery that needs a row', () => {
  it('is acknowledged only once it is stored', async () => {
    const { inbox, acks, take } = setUp();
    let store: () => void = () => undefined;
    inbox.holdPuts(new Promise<void>((resolve) => (store = resolve)));
    const taken = take(eventBody(mentionEvent()));
    await new Promise((resolve) => setImmediate(resolve));
    expect(acks).toEqual([]);
    store();
    await taken;
    expect(acks).toHaveLength(1);
    expect(inbox.keys()).toEqual([KEY]);
  });

  it('is acknowledged before the work on it has ended', async () => {
    let finish: () => void = () => undefined;
    const { inbox, acks, take } = setUp({ process: () => new Promise<void>((resolve) => (finish = resolve)) });
    await take(eventBody(mentionEvent()));
    expect(acks).toHaveLength(1);
    expect(inbox.isProcessed(KEY)).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
    finish();
    await eventually('processed', () => inbox.isProcessed(KEY));
  });

  it('is not acknowledged when the store fails', async () => {
    const { inbox, acks, processed, take } = setUp();
    inbox.failPuts(new Error('disk full'));
    await expect(take(eventBody(mentionEvent()))).rejects.toThrow('disk full');
    expect(acks).toEqual([]);
    expect(processed).toEqual([]);
  });

  it('is not acknowledged when the store is slow, and is worked on once when it lands after all', async () => {
    const { inbox, acks, processed, take } = setUp({ storeWithinMs: 20 });
    let store: () => void = () => undefined;
    inbox.holdPuts(new Promise<void>((resolve) => (store = resolve)));
    await expect(take(eventBody(mentionEvent()))).rejects.toMatchObject({ code: 'store_unavailable', retryable: true });
    store();
    await eventually('worked on', () => inbox.isProcessed(KEY));
    await take(eventBody(mentionEvent()));
    expect(acks).toHaveLength(1);
    expect(processed).toHaveLength(1);
  });

  it('is acknowledged and left alone when it came before, in whatever form', async () => {
    const { inbox, acks, processed, take } = setUp();
    await Promise.all([take(eventBody(mentionEvent())), take(eventBody(messageEvent(), { event_id: 'Ev2' }))]);
    await take(eventBody(mentionEvent(), { event_id: 'Ev3' }));
    await eventually('processed', () => inbox.isProcessed(KEY));
    expect(acks).toHaveLength(3);
    expect(processed).toHaveLength(1);
  });

  it('is worked on although its ack did not get through', async () => {
    const { inbox, logger, deliveries } = setUp();
    const ack = () => Promise.reject(new Error('socket gone'));
    await deliveries.take({ body: eventBody(mentionEvent()), receivedAtMs: 0, ack });
    await eventually('processed', () => inbox.isProcessed(KEY));
    expect(logger.lines.map((line) => line.event)).toEqual(['ack_not_delivered']);
  });

  it('keeps its row when the work fails, and replay works on it again', async () => {
    let failing = true;
    const { inbox, logger, deliveries, take } = setUp({
      process: async () => {
        if (failing) throw new Error('runner down');
      },
    });
    await take(eventBody(mentionEvent()));
    await eventually('the failure', () => logger.lines.some((line) => line.event === 'delivery_failed'));
    expect(inbox.isProcessed(KEY)).toBe(false);
    failing = false;
    expect(await deliveries.replay()).toBe(1);
    expect(inbox.isProcessed(KEY)).toBe(true);
    expect(await deliveries.replay()).toBe(0);
  });

  it('is left to whoever took it while it is young, unless nobody else can be there', async () => {
    const { inbox, deliveries, processed } = setUp({ replayAfterMs: 60_000 });
    await inbox.put({ key: KEY, kind: 'message', body: eventBody(mentionEvent()) });
    expect(await deliveries.replay()).toBe(0);
    expect(await deliveries.replay(0)).toBe(1);
    expect(processed).toHaveLength(1);
  });

  it('is not replayed while it is being worked on here', async () => {
    let finish: () => void = () => undefined;
    let calls = 0;
    const { inbox, deliveries, take } = setUp({
      process: () => {
        calls += 1;
        return new Promise<void>((resolve) => (finish = resolve));
      },
    });
    await take(eventBody(mentionEvent()));
    await eventually('begun', () => calls === 1);
    expect(await deliveries.replay()).toBe(0);
    finish();
    await eventually('processed', () => inbox.isProcessed(KEY));
    expect(calls).toBe(1);
  });

  it('gives up on a row that keeps failing', async () => {
    const { deliveries, logger, take } = setUp({ process: () => Promise.reject(new Error('poison')) });
    await take(eventBody(mentionEvent()));
    await eventually('the first failure', () => logger.lines.some((line) => line.event === 'delivery_failed'));
    let tried = 0;
    for (let round = 0; round < 40; round += 1) tried += await deliveries.replay();
    expect(tried).toBe(30);
  });

  it('stays unmarked without harm when marking fails', async () => {
    const { inbox, logger, deliveries, take } = setUp();
    inbox.failMarks(new Error('down'));
    await take(eventBody(mentionEvent()));
    await eventually('the failure', () => logger.lines.some((line) => line.event === 'inbox_mark_failed'));
    inbox.failMarks(null);
    expect(await deliveries.replay()).toBe(1);
    expect(inbox.isProcessed(KEY)).toBe(true);
  });

  it('has its ack measured from its arrival', async () => {
    const { ackTimes, take } = setUp();
    await take(eventBody(mentionEvent()));
    expect(ackTimes).toHaveLength(1);
    expect(ackTimes[0]).toBeGreaterThanOrEqual(0);
  });
});

describe('a delivery without a row', () => {
  it('gets the ack of its listener, with its content', async () => {
    const { acks, take } = setUp({ process: (event) => event.ack({ response_action: 'clear' }) });
    await take(clickBody({ action_id: 'x' }));
    expect(acks).toEqual([{ response_action: 'clear' }]);
  });

  it('gets no ack when its listener fails before it', async () => {
    const { acks, take } = setUp({ process: () => Promise.reject(new Error('store down')) });
    await expect(take(clickBody({ action_id: 'x' }))).rejects.toThrow('store down');
    expect(acks).toEqual([]);
  });

  it('counts as taken when its listener fails after the ack', async () => {
    const { acks, logger, take } = setUp({
      process: async (event) => {
        await event.ack();
        throw new Error('no ephemeral');
      },
    });
    await take(clickBody({ action_id: 'x' }));
    expect(acks).toHaveLength(1);
    expect(logger.lines[0]?.event).toBe('interaction_failed');
  });

  it('is acknowledged when nobody listens to it', async () => {
    const { acks, take } = setUp();
    await take({ type: 'something_new' });
    expect(acks).toHaveLength(1);
  });
});

describe('an event of no use', () => {
  it('is acknowledged whatever its listeners do, so that it does not come again', async () => {
    const { acks, take } = setUp({ process: () => Promise.reject(new TypeError('odd')) });
    await take(eventBody({ type: 'message', channel: 7 }));
    expect(acks).toHaveLength(1);
  });
});

describe('closing', () => {
  it('waits for work under way and takes nothing more', async () => {
    let finish: () => void = () => undefined;
    const { inbox, deliveries, take } = setUp({ process: () => new Promise<void>((resolve) => (finish = resolve)) });
    await take(eventBody(mentionEvent()));
    await new Promise((resolve) => setImmediate(resolve));
    const closed = deliveries.close();
    await expect(take(eventBody(mentionEvent({ ts: '2.0' })))).rejects.toThrow('Stopping');
    finish();
    await closed;
    expect(inbox.isProcessed(KEY)).toBe(true);
  });

  it('does not wait for ever', async () => {
    const { logger, deliveries, take } = setUp({ process: () => new Promise<void>(() => {}), drainWithinMs: 20 });
    await take(eventBody(mentionEvent()));
    await deliveries.close();
    expect(logger.lines.at(-1)).toMatchObject({ event: 'intake_stopped_with_work_left', fields: { left: 1 } });
  });
});
