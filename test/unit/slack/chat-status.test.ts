import { describe, expect, it } from 'vitest';
import type { MessageContent } from '../../../src/domain/ports/chat.ts';
import { settle } from './fake-clock.ts';
import { ok, refuse } from './fake-slack.ts';
import { posted, setupChat } from './setup-chat.ts';

const section = { type: 'section', text: { type: 'plain_text', text: 'Working' } };
const content = (text: string): MessageContent => ({ text, blocks: [section] });

/** Resolves once Slack has had so many calls of a method; real sockets take real time, so this awaits the state. */
async function calls(stage: Awaited<ReturnType<typeof setupChat>>, method: string, count: number): Promise<unknown[]> {
  const made = () => stage.slack.calls.filter((call) => call.method === method);
  while (made().length < count) await new Promise((resolve) => setImmediate(resolve));
  return made().map((call) => call.args.text);
}

describe('status messages of many runs', () => {
  it('share the workspace’s budget', async () => {
    const stage = await setupChat({ editIntervalMs: 3_000, editsPerMinute: 9 });
    stage.slack.on('chat.update', () => ok({}));
    for (let run = 0; run < 5; run += 1) {
      stage.chat.openStatus({ channelId: 'C1', ts: Promise.resolve(`${run}.1`) }).show(() => content(`run ${run}`));
    }

    // One edit at once, and one every 6.7 s.
    await stage.clock.advance(25_000);

    expect(new Set(await calls(stage, 'chat.update', 4))).toEqual(new Set(['run 0', 'run 1', 'run 2', 'run 3']));
  });

  it('hold back no post and no owed update when Slack limits edits', async () => {
    const stage = await setupChat();
    stage.slack.on('chat.update', ({ args }) =>
      args.text === 'Final'
        ? ok({})
        : { status: 429, headers: { 'retry-after': '3600' }, body: refuse('ratelimited').body },
    );
    stage.slack.on('chat.postMessage', ({ args }) => posted(args));
    const writer = stage.chat.openStatus({ channelId: 'C1', ts: Promise.resolve('1.1') });
    writer.show(() => content('Working'));
    await stage.clock.advance(0);
    await calls(stage, 'chat.update', 1);
    await writer.close();

    await stage.chat.post({ channelId: 'C1', threadTs: '1.0', operationId: 'answer-r-0' }, content('Answer'));
    await stage.chat.update({ channelId: 'C1', ts: '1.1' }, content('Final'));

    expect(stage.edits).toEqual(['limited']);
  });

  it('pause when an owed update meets Slack’s limit', async () => {
    const stage = await setupChat();
    stage.slack.on('chat.update', ({ args }) =>
      args.text === 'Final'
        ? { status: 429, headers: { 'retry-after': '30' }, body: refuse('ratelimited').body }
        : ok({}),
    );
    await expect(stage.chat.update({ channelId: 'C1', ts: '1.1' }, content('Final'))).rejects.toMatchObject({
      retryAfterMs: 30_000,
    });
    stage.chat.openStatus({ channelId: 'C1', ts: Promise.resolve('1.1') }).show(() => content('Working'));

    await stage.clock.advance(29_000);
    expect(stage.slack.calls).toHaveLength(1);
    await stage.clock.advance(1_000);

    expect(await calls(stage, 'chat.update', 2)).toEqual(['Final', 'Working']);
  });

  it('are waited for when the adapter closes in the middle of an edit', async () => {
    const stage = await setupChat();
    let answer: () => void = () => {};
    stage.slack.on('chat.update', async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return ok({});
    });
    stage.chat.openStatus({ channelId: 'C1', ts: Promise.resolve('1.1') }).show(() => content('Working'));
    await stage.clock.advance(0);
    await calls(stage, 'chat.update', 1);
    const closing = stage.chat.close();
    expect(await Promise.race([closing, settle().then(() => 'still open')])).toBe('still open');

    answer();
    await closing;

    expect(stage.edits).toEqual(['sent']);
  });

  it('are let go of by closing the adapter', async () => {
    const stage = await setupChat();
    for (let run = 0; run < 1_000; run += 1) {
      stage.chat.openStatus({ channelId: 'C1', ts: Promise.resolve(`${run}.1`) }).show(() => content(`run ${run}`));
    }

    await stage.chat.close();
    await stage.clock.advance(60_000);

    expect(stage.slack.calls).toEqual([]);
    expect(stage.clock.timers()).toBe(0);
  });
});
