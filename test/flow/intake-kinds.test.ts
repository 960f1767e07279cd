import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createAsked } from '../support/asked.ts';
import { shown, useStage } from './stage.ts';

const { general, shared } = SANDBOX.channels;
const { alice, bob, dave, otherBot } = SANDBOX.users;
const BOT = `<@${SANDBOX.botUserId}>`;

const stage = useStage({ planner: { scenario: 'answer-only' } });
const asked = createAsked(stage);

/** Nothing of these words reached the planner, and the bot said nothing in the thread. */
async function nothingCameOf(words: string, thread?: { channel: string; ts: string }) {
  await asked.caughtUp();
  expect(asked.requestsFor(words)).toHaveLength(0);
  if (thread) expect(asked.inThread(thread)).toHaveLength(0);
}

describe('a message that starts nothing', () => {
  it('is one without a mention', async () => {
    await nothingCameOf('just talking', await stage.slack.reply({ text: 'just talking' }));
  });

  it('is one of another bot that mentions Steward', async () => {
    await nothingCameOf('bot speaking', await stage.slack.mention({ user: otherBot, text: 'bot speaking' }));
  });

  it('is an edit that only unfurls', async () => {
    const sent = await stage.slack.mention({ text: 'see https://example.com/ unfurled' });
    await asked.answered(sent);
    await stage.slack.unfurl({ channel: sent.channel, ts: sent.ts });
    await asked.caughtUp();
    expect(asked.requestsFor('unfurled')).toHaveLength(1);
    expect(asked.inThread(sent)).toHaveLength(2);
  });

  it('is an edit of a request that has run', async () => {
    const sent = await stage.slack.mention({ text: 'first wording' });
    await asked.answered(sent);
    await stage.slack.editMessage({ channel: sent.channel, ts: sent.ts, text: `${BOT} second wording` });
    await nothingCameOf('second wording');
    expect(asked.inThread(sent)).toHaveLength(2);
  });

  it.each([
    'channel_join',
    'channel_topic',
    'bot_message',
    'message_replied',
    'me_message',
    'pinned_item',
    'huddle_thread',
  ])('is one of subtype %s, whatever it says', async (subtype) => {
    const ts = `${Math.floor(Date.now() / 1000)}.111${subtype.length}`;
    const event = { type: 'message', subtype, user: bob, text: `${BOT} ${subtype}`, channel: general, ts };
    const delivered = await stage.slack.deliverEvent({ ...event, channel_type: 'channel', event_ts: ts });
    expect(delivered.acked).toBe(true);
    await nothingCameOf(subtype);
  });

  it('is a body that is no event of ours, and it is acknowledged', async () => {
    const odd = [
      { type: 'reaction_added', user: alice, reaction: '+1', item: {} },
      { type: 'message' },
      { type: 'message', channel: 7, user: null, text: ['x'], ts: {} },
      { type: 'app_mention', channel: general, user: alice },
      { type: 'message', subtype: 'message_changed', channel: general, message: null },
      { type: 'message', subtype: 'message_deleted', channel: general },
      { type: 'a_type_of_tomorrow', nested: [[[]]] },
    ];
    for (const event of odd) expect((await stage.slack.deliverEvent(event)).acked).toBe(true);
    await asked.caughtUp();
  });
});

describe('a message that starts a run', () => {
  it('is a reply that is also sent to the channel, in its thread', async () => {
    const root = await stage.slack.reply({ text: 'talk among people' });
    const sent = await stage.slack.mention({ text: 'broadcast this', threadTs: root.ts, broadcast: true });
    expect(sent.acked).toBe(true);
    await asked.answered(root);
    expect(asked.requestsFor('broadcast this')).toHaveLength(1);
  });

  it('is a mention in the thread of somebody else, answered there', async () => {
    const root = await stage.slack.reply({ user: bob, text: 'Bob opens a thread' });
    await stage.slack.mention({ text: 'look at this', threadTs: root.ts });
    await asked.answered(root);
    expect(asked.statusesIn(root, alice)).toHaveLength(1);
  });

  it('is an edit that adds the mention which was forgotten', async () => {
    const sent = await stage.slack.reply({ text: 'forgot to mention' });
    await stage.slack.editMessage({ channel: sent.channel, ts: sent.ts, text: `${BOT} forgot to mention` });
    await asked.answered(sent);
    await asked.caughtUp();
    expect(asked.requestsFor('forgot to mention')).toHaveLength(1);
  });

  it('is an edit that adds the words to a mention without any', async () => {
    const sent = await stage.slack.mention({ text: BOT });
    await stage.slack.waitFor(() => asked.inThread(sent).length === 1);
    await stage.slack.editMessage({ channel: sent.channel, ts: sent.ts, text: `${BOT} now with words` });
    await asked.answered(sent);
    expect(asked.requestsFor('now with words')).toHaveLength(1);
  });

  it('is a mention from a partner in a shared channel, and its thread stays one thread', async () => {
    const sent = await stage.slack.mention({ user: dave, channel: shared, text: 'from the partner' });
    await asked.answered(sent);
    await stage.slack.reply({ user: dave, channel: shared, text: 'and once more', threadTs: sent.ts });
    await asked.answered(sent, 2);
    expect(asked.requestsFor('and once more')[0]?.messages).toHaveLength(3);
  });

  it('is each direct message, under itself, and a reply below it', async () => {
    const sent = await stage.slack.directMessage({ user: bob, text: 'directly' });
    await asked.answered(sent);
    await stage.slack.directMessage({ user: bob, text: 'directly below', threadTs: sent.ts });
    await asked.answered(sent, 2);
    expect(asked.requestsFor('directly below')[0]?.messages).toHaveLength(3);
  });
});

describe('a mention without words, or with the word help', () => {
  it.each(['', '  ', `, ${BOT}`, ' :', ' Help!'])('gets a short help in its thread and no run (%j)', async (rest) => {
    const before = stage.planner.requests.length;
    const sent = await stage.slack.mention({ text: `${BOT}${rest}` });
    await stage.slack.waitFor(() => asked.inThread(sent).some((message) => shown(message).includes('Mention me')));
    await stage.slack.redeliver(sent.ts, { newEventId: true });
    await asked.caughtUp();
    expect(asked.inThread(sent)).toHaveLength(1);
    expect(stage.planner.requests.length - before).toBe(1);
  });
});
