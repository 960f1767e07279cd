import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createAsked } from '../support/asked.ts';
import { shown, useStage } from './stage.ts';

const { general, elsewhere, random } = SANDBOX.channels;
const { alice, bob } = SANDBOX.users;

const stage = useStage({ planner: { scenario: 'answer-only' } });
const asked = createAsked(stage);

/** The bot's message that a command's run lives under. */
const rootFor = (words: string, channel: string = general) =>
  stage.slack.waitFor(() =>
    stage.slack
      .messages(channel)
      .find(
        (message) =>
          message.threadTs === null && message.userId === SANDBOX.botUserId && shown(message).includes(words),
      ),
  );

const toldPrivately = (user: string, words: string) =>
  stage.slack.waitFor(() => stage.slack.ephemerals({ user }).find((message) => shown(message).includes(words)));

describe('/steward with a request', () => {
  it('posts who asked for what, and runs it in the thread of that message', async () => {
    const { slack } = stage;
    expect((await slack.slashCommand({ text: 'plan by command' })).acked).toBe(true);
    const root = await rootFor('plan by command');
    expect(shown(root)).toContain(alice);
    await asked.answered({ channel: general, ts: root.ts });
    expect(asked.requestsFor('plan by command')).toHaveLength(1);
  });

  it('takes replies in that thread as the next requests', async () => {
    const { slack } = stage;
    await slack.slashCommand({ text: 'command with replies', user: bob });
    const root = await rootFor('command with replies');
    await asked.answered({ channel: general, ts: root.ts });
    await slack.reply({ user: bob, text: 'reply below a command', threadTs: root.ts });
    await asked.answered({ channel: general, ts: root.ts }, 2);
    expect(asked.requestsFor('reply below a command')[0]?.messages).toHaveLength(3);
  });

  it('pings nobody and shows the request as it was typed', async () => {
    const { slack } = stage;
    await slack.slashCommand({ text: 'tell <!channel> & <@U0BOB00001> `a < b` *x*' });
    const root = await rootFor('tell ');
    expect(slack.pings(root).filter((ping) => !ping.includes(alice))).toEqual([]);
    await asked.answered({ channel: general, ts: root.ts });
  });

  it('works in a direct message conversation with the bot', async () => {
    const channel = stage.slack.dmOf(alice);
    await stage.slack.slashCommand({ text: 'command in a dm', channel });
    const root = await rootFor('command in a dm', channel);
    await asked.answered({ channel, ts: root.ts });
  });

  it('keeps a request of forty thousand characters', async () => {
    const long = `long ${'word '.repeat(7_900)}`;
    await stage.slack.slashCommand({ text: long, channel: random });
    const root = await rootFor('long word', random);
    await asked.answered({ channel: random, ts: root.ts });
    expect(asked.requestsFor('long word')[0]?.messages.at(-1)?.content).toBe(long.trim());
  });

  it('where the bot is not a member says privately what to do, and starts nothing', async () => {
    expect((await stage.slack.slashCommand({ text: 'nobody hears', channel: elsewhere })).acked).toBe(true);
    await toldPrivately(alice, '/invite');
    await asked.caughtUp();
    expect(asked.requestsFor('nobody hears')).toHaveLength(0);
  });

  it('where Slack refuses the post for good says so privately, and starts nothing', async () => {
    stage.slack.failNext({ method: 'chat.postMessage', error: 'restricted_action' });
    await stage.slack.slashCommand({ text: 'not allowed here' });
    await toldPrivately(alice, 'restricted_action');
    await asked.caughtUp();
    expect(asked.requestsFor('not allowed here')).toHaveLength(0);
  });

  it('is posted once although Slack lost the answer to the post', async () => {
    stage.slack.failNext({ method: 'chat.postMessage', dropConnection: true, afterApplying: true });
    await stage.slack.slashCommand({ text: 'lost answer' });
    const root = await rootFor('lost answer');
    await asked.answered({ channel: general, ts: root.ts }, 1, 25_000);
    const roots = stage.slack.messages(general).filter((m) => m.threadTs === null && shown(m).includes('lost answer'));
    expect(roots).toHaveLength(1);
  });
});

describe('/steward as a command', () => {
  it.each(['', '   ', 'help', ' HELP '])('answers %j with a private help and starts nothing', async (text) => {
    const before = stage.slack.ephemerals({ user: bob }).length;
    const requests = stage.planner.requests.length;
    await stage.slack.slashCommand({ text, user: bob });
    await stage.slack.waitFor(() => stage.slack.ephemerals({ user: bob }).length === before + 1);
    expect(shown(stage.slack.ephemerals({ user: bob }).at(-1) ?? expect.fail())).toContain('/steward status');
    expect(stage.planner.requests).toHaveLength(requests);
  });

  it('takes a request that begins with the name of a command as a request', async () => {
    await stage.slack.slashCommand({ text: 'help me stop smoking' });
    const root = await rootFor('help me stop smoking');
    await asked.answered({ channel: general, ts: root.ts });
  });

  it('shows with status my runs and what waits for me, privately', async () => {
    const { slack, planner } = stage;
    await slack.slashCommand({ text: 'status', user: bob });
    await toldPrivately(bob, 'no runs under way');
    planner.use('clarify-options', { times: 1, match: 'status-asks' });
    const sent = await slack.mention({ user: bob, text: 'status-asks' });
    await slack.waitFor(() => asked.statusesIn(sent, 'Waiting for an answer').length === 1);
    await slack.slashCommand({ text: 'status', user: bob, channel: elsewhere });
    const told = await toldPrivately(bob, 'Waiting for you');
    expect(shown(told)).toContain('status-asks');
    await slack.slashCommand({ text: 'status' });
    await toldPrivately(alice, 'no runs under way');
  });

  it("stops with stop my runs in this channel, and no one else's", async () => {
    const { slack, planner } = stage;
    planner.use('held', { match: 'held-by' });
    const mine = [await slack.mention({ text: 'held-by-alice-1' }), await slack.mention({ text: 'held-by-alice-2' })];
    await slack.reply({ text: 'waits-behind', threadTs: mine[0]?.ts ?? '' });
    const others = await slack.mention({ user: bob, text: 'held-by-bob' });
    const otherChannel = await slack.mention({ channel: random, text: 'held-by-alice-3' });
    await planner.waitFor(() => asked.requestsFor('held-by').length === 4);
    await slack.slashCommand({ text: 'stop' });
    await toldPrivately(alice, 'Stopping 3 runs');
    for (const thread of mine) await slack.waitFor(() => asked.statusesIn(thread, 'Stopped').length > 0);
    await slack.waitFor(() => asked.statusesIn(mine[0] ?? others, 'Stopped').length === 2);
    expect(asked.statusesIn(others, 'Stopped')).toHaveLength(0);
    expect(asked.statusesIn(otherChannel, 'Stopped')).toHaveLength(0);
    expect(asked.requestsFor('waits-behind')).toHaveLength(0);
    await slack.slashCommand({ text: 'stop', channel: elsewhere });
    await toldPrivately(alice, 'no runs to stop');
    planner.release('held', 2);
    await slack.waitFor(() => asked.statusesIn(others, 'Done').length === 1);
  });
});
