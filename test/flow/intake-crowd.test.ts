import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createAsked } from '../support/asked.ts';
import { useStage } from './stage.ts';

const stage = useStage({ planner: { scenario: 'answer-only' } });
const asked = createAsked(stage);

describe('a crowd', () => {
  it('of a hundred mentions in a hundred threads gets a hundred answers, each acknowledged in time', async () => {
    const { slack, planner } = stage;
    const mentions = await Promise.all(Array.from({ length: 100 }, (_, n) => slack.mention({ text: `crowd-${n}-` })));
    for (const { acked, ackMs } of mentions) {
      expect(acked).toBe(true);
      expect(ackMs).toBeLessThan(3_000);
    }
    for (const mention of mentions) await asked.answered(mention, 1, 30_000);
    expect(planner.requests).toHaveLength(100);
    for (const [n, mention] of mentions.entries()) {
      expect(asked.requestsFor(`crowd-${n}-`)).toHaveLength(1);
      expect(asked.inThread(mention)).toHaveLength(2);
    }
  }, 60_000);

  it('of thirty messages in one thread is answered in order, message by message', async () => {
    const { slack, planner } = stage;
    const root = await slack.directMessage({ text: 'line-root' });
    const sent = await Promise.all(
      Array.from({ length: 30 }, (_, n) => slack.directMessage({ text: `line-${n}-`, threadTs: root.ts })),
    );
    expect(sent.every(({ acked }) => acked)).toBe(true);
    await asked.answered(root, 31, 60_000);
    const last = planner.requests.map(({ messages }) => /^line-(\d+)-$/.exec(String(messages.at(-1)?.content))?.[1]);
    const order = last.filter((n) => n !== undefined).map(Number);
    expect(order).toEqual(Array.from({ length: 30 }, (_, n) => n));
    expect(asked.statusesIn(root, 'in this thread')).toHaveLength(0);
  }, 90_000);
});

describe('hostile text', () => {
  const huge = `huge ${'ä'.repeat(39_000)}`;
  it.each([
    ['of forty thousand characters', huge, huge],
    ['with NUL characters', 'nul \u0000 in \u0000 it', 'nul  in  it'],
    ['with halves of surrogate pairs', 'half \ud83d and \ude00 end', 'half \ufffd and \ufffd end'],
    [
      'with emoji and right-to-left marks',
      'rtl \u202eabc\u202c שלום 👩‍👩‍👧‍👦 :tada:',
      'rtl \u202eabc\u202c שלום 👩‍👩‍👧‍👦 :tada:',
    ],
    [
      'with a link, an address and a package name',
      'see <https://hackmd.io/@jkyang/abc> and <mailto:a@b.example|a@b.example>, `@vercel/postgres`',
      'see https://hackmd.io/@jkyang/abc and a@b.example, `@vercel/postgres`',
    ],
    [
      'with a labelled link, a channel and entities',
      'read <https://x.example/a?b=1&amp;c=2|the page> in <#C0GENERAL1|general> if a &lt; b &amp;&amp; c',
      'read the page (https://x.example/a?b=1&c=2) in #general if a < b && c',
    ],
    [
      'that looks like SQL or JSON',
      `'; drop table runs; -- {"a":"\\u0000"} %s $1`,
      `'; drop table runs; -- {"a":"\\u0000"} %s $1`,
    ],
  ])('%s goes through the whole bot', async (_what, text, heard) => {
    const sent = await stage.slack.mention({ text });
    expect(sent.acked).toBe(true);
    await asked.answered(sent);
    expect(stage.planner.requests.at(-1)?.messages.at(-1)?.content).toBe(heard);
    for (const message of asked.inThread(sent))
      expect(stage.slack.pings(message).filter((ping) => !ping.includes(SANDBOX.users.alice))).toEqual([]);
  });

  it('by command goes through the whole bot', async () => {
    await stage.slack.slashCommand({ text: 'nul\u0000 half \ud83d rtl \u202e end' });
    const request = await stage.planner.waitFor(() => asked.requestsFor('rtl \u202e end')[0]);
    expect(request.messages.at(-1)?.content).toBe('nul half \ufffd rtl \u202e end');
  });
});
