import { describe, expect, it } from 'vitest';
import type { MessageContent } from '../../../../src/domain/ports/chat.ts';
import { SlackError } from '../../../../src/errors.ts';
import { createEditBudget } from '../../../../src/slack/edits/edit-budget.ts';
import { createEditPace } from '../../../../src/slack/edits/edit-pace.ts';
import { createStatusWriter } from '../../../../src/slack/edits/status-writer.ts';
import { createFakeClock, settle } from '../fake-clock.ts';
import { createMemoryLogger } from '../memory-logger.ts';

const content = (text: string): MessageContent => ({ text, blocks: [{ type: 'section', text }] });

const limited = (retryAfterMs: number | null) =>
  new SlackError('limited', { code: 'slack_rate_limited', retryable: true, retryAfterMs });
const refused = (code: 'slack_refused' | 'slack_blocks_rejected', slackCode: string) =>
  new SlackError(slackCode, { code, retryable: false, slackCode });
const unreachable = () => new SlackError('no answer', { code: 'slack_unreachable', retryable: true });

type Edit = { text: string; at: number };

function setUp(options: { ts?: Promise<string>; editsPerMinute?: number } = {}) {
  const clock = createFakeClock();
  const logger = createMemoryLogger();
  const edits: Edit[] = [];
  const outcomes: string[] = [];
  /** What the next edits do; an edit without an entry succeeds at once. */
  const script: Array<() => Promise<void> | void> = [];
  const budget = createEditBudget({ editsPerMinute: options.editsPerMinute ?? 6_000, ...clock });
  const writer = createStatusWriter({
    channelId: 'C1',
    ts: options.ts ?? Promise.resolve('1.1'),
    async edit(message, { text }) {
      expect(message).toEqual({ channelId: 'C1', ts: '1.1' });
      edits.push({ text, at: clock.now() });
      await script.shift()?.();
    },
    budget,
    pace: createEditPace({ editIntervalMs: 3_000, now: clock.now }),
    editIntervalMs: 3_000,
    logger,
    telemetry: { statusEdit: (outcome) => outcomes.push(outcome) },
    ...clock,
  });
  const texts = () => edits.map((edit) => edit.text);
  return { clock, logger, edits, outcomes, script, writer, texts };
}

const failing = (error: Error) => () => {
  throw error;
};

describe('a status message', () => {
  it('is edited at once after its post, then once per interval with the newest state', async () => {
    const { clock, writer, edits } = setUp();
    const start = clock.now();
    for (let step = 0; step <= 70; step += 1) {
      writer.show(() => content(`step ${step}`));
      await clock.advance(100);
    }

    expect(edits).toEqual([
      { text: 'step 0', at: start },
      { text: 'step 29', at: start + 3_000 },
      { text: 'step 59', at: start + 6_000 },
    ]);
  });

  it('draws only what it sends', async () => {
    const { clock, writer, edits } = setUp();
    let drawn = 0;
    for (let delta = 0; delta < 10_000; delta += 1) {
      writer.show(() => {
        drawn += 1;
        return content(`delta ${delta}`);
      });
    }

    await clock.advance(4_000);

    expect(drawn).toBe(1);
    expect(edits[0]?.text).toBe('delta 9999');
  });

  it('waits for its ts and shows what came meanwhile', async () => {
    let tell: (ts: string) => void = () => {};
    const { clock, writer, texts } = setUp({
      ts: new Promise((resolve) => {
        tell = resolve;
      }),
    });
    writer.show(() => content('early'));
    await clock.advance(60_000);
    expect(texts()).toEqual([]);

    tell('1.1');
    await clock.advance(0);

    expect(texts()).toEqual(['early']);
  });

  it('is never edited when its post failed', async () => {
    const { clock, writer, texts } = setUp({ ts: Promise.reject(new Error('not posted')) });
    writer.show(() => content('lost'));

    await clock.advance(60_000);
    writer.show(() => content('lost too'));
    await clock.advance(60_000);

    expect(texts()).toEqual([]);
    expect(clock.timers()).toBe(0);
  });

  it('starts no edit before the last one ended', async () => {
    const { clock, writer, texts, script } = setUp();
    let finish: () => void = () => {};
    script.push(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    writer.show(() => content('slow'));
    await clock.advance(0);
    writer.show(() => content('newer'));
    await clock.advance(20_000);
    expect(texts()).toEqual(['slow']);

    finish();
    await clock.advance(2_999);
    expect(texts()).toEqual(['slow']);
    await clock.advance(1);
    expect(texts()).toEqual(['slow', 'newer']);
  });

  it('moves its elapsed time in silence, every five seconds', async () => {
    const { clock, writer, texts } = setUp();
    const start = clock.now();
    writer.show(() => content(`${(clock.now() - start) / 1_000} s`));

    await clock.advance(30_000);

    expect(texts()).toEqual(['0 s', '5 s', '10 s', '15 s', '20 s', '25 s', '30 s']);
  });

  it('is left alone while it would look the same', async () => {
    const { clock, writer, texts } = setUp();
    writer.show(() => content('same'));
    await clock.advance(60_000);
    writer.show(() => content('same'));
    await clock.advance(60_000);

    expect(texts()).toEqual(['same']);
  });
});

it('a change hurries an edit that only waits to move the time', async () => {
  const clock = createFakeClock();
  const hurried: boolean[] = [];
  const writer = createStatusWriter({
    channelId: 'C1',
    ts: Promise.resolve('1.1'),
    edit: async () => {},
    budget: {
      request({ urgent, grant }) {
        if (urgent) queueMicrotask(grant);
        return { hurry: () => hurried.push(true), cancel() {} };
      },
      spend() {},
      pause() {},
      pausedForMs: () => 0,
      close() {},
    },
    pace: createEditPace({ editIntervalMs: 3_000, now: clock.now }),
    editIntervalMs: 3_000,
    logger: createMemoryLogger(),
    telemetry: { statusEdit() {} },
    ...clock,
  });
  writer.show(() => content('first'));
  await clock.advance(10_000);
  expect(hurried).toEqual([]);

  writer.show(() => content('second'));
  writer.show(() => content('third'));

  expect(hurried).toEqual([true]);
});

describe('an edit that fails', () => {
  it('with a 429 pauses edits for as long as Slack says, then shows the newest state', async () => {
    const { clock, writer, edits, script, outcomes } = setUp();
    const start = clock.now();
    script.push(failing(limited(20_000)));
    writer.show(() => content('first'));
    await clock.advance(10_000);
    writer.show(() => content('newest'));
    await clock.advance(20_000);

    expect(edits.slice(0, 2)).toEqual([
      { text: 'first', at: start },
      { text: 'newest', at: start + 20_000 },
    ]);
    expect(outcomes).toEqual(['limited', 'sent']);
  });

  it('with a 429 that does not say how long pauses for half a minute', async () => {
    const { clock, writer, edits, script } = setUp();
    const start = clock.now();
    script.push(failing(limited(null)));
    writer.show(() => content('state'));
    await clock.advance(60_000);

    expect(edits[1]?.at).toBe(start + 30_000);
  });

  it('for want of an answer is made again, is logged and counted', async () => {
    const { clock, writer, texts, script, logger, outcomes } = setUp();
    script.push(failing(unreachable()));
    writer.show(() => content('state'));
    await clock.advance(3_000);

    expect(texts()).toEqual(['state', 'state']);
    expect(outcomes).toEqual(['dropped', 'sent']);
    expect(logger.lines.map((line) => line.event)).toEqual(['status_edit_failed']);
  });

  it('for good ends the editing', async () => {
    const { clock, writer, texts, script } = setUp();
    script.push(failing(refused('slack_refused', 'message_not_found')));
    writer.show(() => content('state'));
    await clock.advance(0);
    writer.show(() => content('more'));
    await clock.advance(60_000);

    expect(texts()).toEqual(['state']);
    expect(clock.timers()).toBe(0);
  });

  it('because of its blocks does not keep the next state from being shown', async () => {
    const { clock, writer, texts, script } = setUp();
    script.push(failing(refused('slack_blocks_rejected', 'msg_too_long')));
    writer.show(() => content('too long'));
    await clock.advance(0);
    writer.show(() => content('short'));
    await clock.advance(3_000);

    expect(texts()).toEqual(['too long', 'short']);
  });

  it('to be drawn is logged, and the next state is shown', async () => {
    const { clock, writer, texts, logger } = setUp();
    writer.show(() => {
      throw new Error('cannot draw');
    });
    await clock.advance(0);
    writer.show(() => content('fine'));
    await clock.advance(3_000);

    expect(texts()).toEqual(['fine']);
    expect(logger.lines.map((line) => line.event)).toEqual(['status_draw_failed']);
  });
});

describe('closing', () => {
  it('waits for the edit under way, and none begins after it', async () => {
    const { clock, writer, texts, script } = setUp();
    let finish: () => void = () => {};
    script.push(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    writer.show(() => content('under way'));
    await clock.advance(0);
    writer.show(() => content('never'));
    let closed = false;
    const closing = writer.close().then(() => {
      closed = true;
    });
    await settle();
    expect(closed).toBe(false);

    finish();
    await closing;
    writer.show(() => content('never either'));
    await clock.advance(60_000);

    expect(texts()).toEqual(['under way']);
    expect(clock.timers()).toBe(0);
  });

  it('gives up a place in the budget’s queue', async () => {
    const { clock, writer, texts } = setUp({ editsPerMinute: 1 });
    writer.show(() => content('first'));
    await clock.advance(3_000);
    writer.show(() => content('queued'));
    await clock.advance(3_000);

    await writer.close();
    await clock.advance(120_000);

    expect(texts()).toEqual(['first']);
  });

  it('works before the message has a ts, and twice', async () => {
    const { clock, writer, texts } = setUp({ ts: new Promise(() => {}) });
    writer.show(() => content('never'));

    await writer.close();
    await writer.close();
    await clock.advance(60_000);

    expect(texts()).toEqual([]);
  });
});
