import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createAsked } from '../support/asked.ts';
import { useStage } from './stage.ts';

const { general } = SANDBOX.channels;
const { alice } = SANDBOX.users;
const BOT = `<@${SANDBOX.botUserId}>`;

const stage = useStage({ planner: { scenario: 'answer-only' } });
const asked = createAsked(stage);

/** A mention that Slack itself knows nothing of, so that each copy can be delivered as a test likes. */
function mentionEvent(words: string, ts: string) {
  return { type: 'app_mention', user: alice, text: `${BOT} ${words}`, channel: general, ts, event_ts: ts };
}

function messageEvent(words: string, ts: string) {
  return { ...mentionEvent(words, ts), type: 'message', channel_type: 'channel' };
}

/** The ts of a message that is there and that the bot has left alone; a run whose thread does not exist is stopped. */
const newTs = async () => (await stage.slack.reply({ text: 'a message', user: alice, channel: general })).ts;

describe('one message', () => {
  it.each([
    ['mention-first', 0],
    ['message-first', 0],
    ['mention-first', 40],
    ['message-first', 40],
  ] as const)('that arrives %s with %i ms between is one run', async (order, gapMs) => {
    const sent = await stage.slack.mention({ text: `pair ${order} ${gapMs}`, order, gapMs });
    await asked.answered(sent);
    await asked.caughtUp();
    expect(asked.requestsFor(`pair ${order} ${gapMs}`)).toHaveLength(1);
    expect(asked.inThread(sent)).toHaveLength(2);
  });

  it.each([
    ['the same event id', {}],
    ['new event ids', { newEventId: true }],
    ['a retry header', { retry: { num: 1, reason: 'http_timeout' } }],
    ['the last retry number', { retry: { num: 3, reason: 'http_error' }, newEventId: true }],
    ['many copies at once', { times: 11, newEventId: true }],
  ])('delivered again after its run with %s starts nothing', async (name, options) => {
    const sent = await stage.slack.mention({ text: `again ${name}` });
    await asked.answered(sent);
    const results = await stage.slack.redeliver(sent.ts, options);
    expect(results.every(({ acked, attempts }) => acked && attempts === 1)).toBe(true);
    await asked.caughtUp();
    expect(asked.requestsFor(`again ${name}`)).toHaveLength(1);
    expect(asked.inThread(sent)).toHaveLength(2);
  });

  it('whose first delivery carries a retry header runs', async () => {
    const ts = await newTs();
    const firstRetry = { num: 2, reason: 'http_timeout' };
    await stage.slack.deliverEvent(mentionEvent('first copy is a retry', ts), { firstRetry });
    await stage.planner.waitFor(() => asked.requestsFor('first copy is a retry').length === 1);
  });

  it('that first arrives eleven times at once, as both kinds of event, is one run', async () => {
    const ts = await newTs();
    const events = Array.from({ length: 11 }, (_, copy) =>
      (copy % 2 === 0 ? mentionEvent : messageEvent)('eleven', ts),
    );
    const results = await Promise.all(events.map((event) => stage.slack.deliverEvent(event)));
    expect(results.every(({ acked }) => acked)).toBe(true);
    await stage.planner.waitFor(() => asked.requestsFor('eleven').length > 0);
    await asked.caughtUp();
    expect(asked.requestsFor('eleven')).toHaveLength(1);
  });

  it('written directly, of a thousand characters, that arrives three times under different ids, is one run', async () => {
    const sent = await stage.slack.directMessage({ text: `dm ${'ü€😀'.repeat(333)}` });
    await stage.slack.redeliver(sent.ts, { newEventId: true, times: 2 });
    await stage.planner.waitFor(() => asked.requestsFor('ü€😀ü€😀').length > 0);
    await asked.caughtUp();
    expect(asked.requestsFor('ü€😀ü€😀')).toHaveLength(1);
  });

  it('delivered again after a restart of the bot starts nothing', async () => {
    const sent = await stage.slack.mention({ text: 'before the restart' });
    await asked.answered(sent);
    await stage.stopBot();
    await stage.startBot();
    await stage.slack.redeliver(sent.ts, { newEventId: true });
    await asked.caughtUp();
    expect(asked.requestsFor('before the restart')).toHaveLength(1);
    expect(asked.inThread(sent)).toHaveLength(2);
  });

  it('that arrives while the bot is down runs once it is up', async () => {
    await stage.stopBot();
    const missed = await stage.slack.mention({ text: 'while down' });
    expect(missed.acked).toBe(false);
    await stage.startBot();
    await stage.slack.redeliver(missed.ts, { retry: { num: 3, reason: 'connection_failed' } });
    await asked.answered(missed);
    expect(asked.requestsFor('while down')).toHaveLength(1);
  });
});
