import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createAsked } from '../support/asked.ts';
import { shown, useStage } from './stage.ts';

const { general, shared } = SANDBOX.channels;
const { alice, bob, dave } = SANDBOX.users;
const BOT = `<@${SANDBOX.botUserId}>`;

const stage = useStage({ planner: { scenario: 'answer-only' } });
const asked = createAsked(stage);

describe('in a channel shared with another workspace', () => {
  it('a click from there is answered, whether it may decide or not', async () => {
    const { slack, planner } = stage;
    planner.use('held', { match: 'held-shared' });
    const ours = await slack.mention({ channel: shared, text: 'held-shared-ours' });
    const theirs = await slack.mention({ channel: shared, user: dave, text: 'held-shared-theirs' });
    await planner.waitFor(() => asked.requestsFor('held-shared').length === 2);
    for (const thread of [ours, theirs]) await slack.waitFor(() => asked.inThread(thread).length === 1);
    const stop = async (thread: typeof ours, user: string) =>
      slack.click({ user, channel: shared, messageTs: asked.inThread(thread)[0]?.ts ?? '', text: 'Stop' });
    expect((await stop(ours, dave)).acked).toBe(true);
    await slack.waitFor(() => slack.ephemerals({ user: dave }).some((message) => shown(message).includes('Only <@')));
    expect(asked.statusesIn(ours, 'Stopped')).toHaveLength(0);
    expect((await stop(theirs, dave)).acked).toBe(true);
    await slack.waitFor(() => asked.statusesIn(theirs, 'Stopped').length === 1);
    await stop(ours, alice);
    await slack.waitFor(() => asked.statusesIn(ours, 'Stopped').length === 1);
  });

  it('a command from there has one thread with the replies below it', async () => {
    const { slack } = stage;
    await slack.slashCommand({ user: dave, channel: shared, text: 'command of a partner' });
    const root = await slack.waitFor(() =>
      slack
        .messages(shared)
        .find((message) => message.threadTs === null && shown(message).includes('command of a partner')),
    );
    const thread = { channel: shared, ts: root.ts };
    await asked.answered(thread);
    await slack.reply({ user: dave, channel: shared, text: 'reply of a partner', threadTs: root.ts });
    await asked.answered(thread, 2);
  });
});

describe('a button', () => {
  it('pressed on another message than its own decides nothing', async () => {
    const { slack, planner } = stage;
    planner.use('held', { times: 1, match: 'held-forged' });
    const sent = await slack.mention({ text: 'held-forged' });
    const other = await slack.mention({ user: bob, text: 'another thread' });
    await asked.answered(other);
    await planner.waitFor(() => asked.requestsFor('held-forged').length === 1);
    const status = await slack.waitFor(() => asked.statusesIn(sent, 'Working')[0]);
    const value = /"value":"([^"]+)"/.exec(JSON.stringify(status.blocks))?.[1];
    const press = (channel: string, messageTs: string | undefined) => {
      const payload = {
        type: 'block_actions',
        user: { id: alice, team_id: SANDBOX.teamId },
        team: { id: SANDBOX.teamId },
        api_app_id: SANDBOX.appId,
        container: { type: 'message', channel_id: channel, message_ts: messageTs },
        channel: { id: channel },
        actions: [{ type: 'button', action_id: 'stop_run', block_id: 'x', value, action_ts: '1.0' }],
        trigger_id: '1.1.x',
        response_url: `${slack.baseUrl}/nowhere`,
      };
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      const headers = { ...slack.sign(body), 'content-type': 'application/x-www-form-urlencoded' };
      return slack.deliverRaw({ body, headers });
    };
    expect((await press(general, asked.inThread(other)[0]?.ts)).status).toBe(200);
    expect((await press(shared, status.ts)).status).toBe(200);
    await asked.caughtUp();
    expect(asked.statusesIn(sent, 'Stopped')).toHaveLength(0);
    expect((await press(general, status.ts)).status).toBe(200);
    await slack.waitFor(() => asked.statusesIn(sent, 'Stopped').length === 1);
  });
});

describe('a bot that does not know yet who it is', () => {
  it('finds out, and runs a message that mentions it once', async () => {
    const { slack } = stage;
    await stage.stopBot();
    // Nobody hears it; it is there, because a run whose thread does not exist is stopped.
    const { ts, acked } = await slack.mention({ text: `${BOT} who-am-i`, channel: general });
    expect(acked).toBe(false);
    slack.failNext({ method: 'auth.test', status: 503 });
    await stage.startBot();
    const event = { user: alice, text: `${BOT} who-am-i`, channel: general, ts, event_ts: ts };
    for (const type of ['message', 'app_mention', 'message']) {
      const envelope = {
        type: 'event_callback',
        team_id: SANDBOX.teamId,
        event_id: `Ev${type}`,
        event: { ...event, type },
      };
      const body = JSON.stringify(envelope);
      expect((await slack.deliverRaw({ body, headers: slack.sign(body) })).status).toBe(200);
    }
    await stage.planner.waitFor(() => asked.requestsFor('who-am-i').length > 0);
    await asked.caughtUp();
    expect(asked.requestsFor('who-am-i').map(({ messages }) => messages.at(-1)?.content)).toEqual(['who-am-i']);
  });
});
