import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SlackError } from '../../../src/errors.ts';
import { SANDBOX } from '../../../src/sandbox/slack/setup.ts';
import { eventually } from './fakes/eventually.ts';
import { type Setup, setUpIntake } from './fakes/intake-setup.ts';

const { alice } = SANDBOX.users;
const { general, elsewhere } = SANDBOX.channels;
const MENTION = `<@${SANDBOX.botUserId}>`;

describe.each(['http', 'sockets'] as const)('requests over %s', (transport) => {
  let setup: Setup;

  beforeEach(async () => {
    setup = await setUpIntake({ transport, slack: { retryDelaysMs: [5, 10, 20] } });
  });
  afterEach(() => setup.close());

  it.each(['mention-first', 'message-first'] as const)('hands a mention on once, %s', async (order) => {
    const { slack, commands, inbox } = setup;
    const sent = await slack.mention({ text: `${MENTION} plan it`, order });
    const key = `msg:${SANDBOX.teamId}:${general}:${sent.ts}`;
    await eventually('processed', () => inbox.isProcessed(key));
    expect(sent.acked).toBe(true);
    expect(commands.calls).toHaveLength(1);
    expect(commands.received.get(key)).toMatchObject({ source: 'mention', text: 'plan it', actorId: alice });
    expect(inbox.keys()).toEqual([key]);
  });

  it('hands on nothing when the same message is delivered again in whatever way', async () => {
    const { slack, commands } = setup;
    const sent = await slack.mention({ text: `${MENTION} plan it` });
    await slack.redeliver(sent.ts, { times: 3 });
    await slack.redeliver(sent.ts, { newEventId: true, times: 3 });
    await slack.redeliver(sent.ts, { retry: { num: 1, reason: 'http_timeout' } });
    await slack.unfurl({ ts: sent.ts });
    await eventually('handed on', () => commands.calls.length > 0);
    await setup.intake.stop();
    expect(commands.calls).toHaveLength(1);
  });

  it('hands an edited mention on once more, as the same request', async () => {
    const { slack, commands } = setup;
    const sent = await slack.mention({ text: MENTION });
    await slack.editMessage({ ts: sent.ts, text: `${MENTION} plan it` });
    await slack.redeliver(sent.ts, { newEventId: true });
    await eventually('handed on twice', () => commands.calls.length === 2);
    await setup.intake.stop();
    expect([...commands.received.keys()]).toEqual([`msg:${SANDBOX.teamId}:${general}:${sent.ts}`]);
  });

  it('hands on a first delivery that says it is a retry', async () => {
    const { slack, commands } = setup;
    const event = { type: 'app_mention', user: alice, text: `${MENTION} hi`, ts: '1.5', channel: general };
    await slack.deliverEvent(event, { firstRetry: { num: 1, reason: 'http_timeout' } });
    await eventually('handed on', () => commands.received.size === 1);
  });

  it('hands on direct messages, replies and deletions', async () => {
    const { slack, commands } = setup;
    const direct = await slack.directMessage({ text: 'plan it' });
    const root = await slack.mention({ text: `${MENTION} plan it` });
    await slack.reply({ text: 'blue', threadTs: root.ts });
    await slack.deleteMessage({ ts: root.ts });
    await eventually('all', () => commands.calls.length === 4);
    const requests = [...commands.received.values()];
    expect(requests.map((request) => request.source).sort()).toEqual(['direct_message', 'mention', 'reply']);
    expect(requests.find((request) => request.source === 'direct_message')?.thread.threadTs).toBe(direct.ts);
    expect(commands.of('requestDeleted')).toEqual([[{ channelId: general, requestTs: root.ts }]]);
  });

  it('keeps no row for people talking, nor for what bots say', async () => {
    const { slack, inbox, commands } = setup;
    const talk = await slack.reply({ text: 'lunch?' });
    await slack.mention({ text: `${MENTION} hi`, user: SANDBOX.users.otherBot });
    expect(talk.acked).toBe(true);
    await setup.intake.stop();
    expect(inbox.keys()).toEqual([]);
    expect(commands.calls).toEqual([]);
  });

  it('has Slack deliver again what could not be stored, and takes it then', async () => {
    const { slack, inbox, commands } = setup;
    inbox.failPuts(new Error('disk full'));
    const sent = slack.deliverEvent({ type: 'app_mention', user: alice, text: MENTION, ts: '1.5', channel: general });
    await eventually('refused', () => setup.logger.lines.some((line) => line.event === 'delivery_refused'));
    inbox.failPuts(null);
    if (transport === 'sockets') slack.dropSockets();
    expect((await sent).acked).toBe(true);
    await eventually('handed on', () => commands.received.size === 1);
  });

  it('works again, by replay, on what the runner failed at', async () => {
    const { slack, commands, inbox, intake } = setup;
    let down = true;
    commands.setUp({
      async receive() {
        if (down) throw new Error('runner down');
      },
    });
    const sent = await slack.mention({ text: `${MENTION} plan it` });
    expect(sent.acked).toBe(true);
    await eventually('failed', () => setup.logger.lines.some((line) => line.event === 'delivery_failed'));
    down = false;
    expect(await intake.replay()).toBe(1);
    expect(inbox.isProcessed(`msg:${SANDBOX.teamId}:${general}:${sent.ts}`)).toBe(true);
    expect(commands.of('receive')).toHaveLength(2);
  });

  it('acknowledges a hundred at once without waiting for the work', async () => {
    const { slack, commands } = setup;
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    commands.setUp({ receive: () => held });
    const burst = Array.from({ length: 100 }, (_, index) =>
      slack.deliverEvent({ type: 'app_mention', user: alice, text: MENTION, ts: `${index + 1}.5`, channel: general }),
    );
    expect((await Promise.all(burst)).every((result) => result.acked && result.attempts === 1)).toBe(true);
    finish();
    await eventually('all', () => commands.calls.length === 100);
  });

  it('decides later on a mention when nobody has yet said who the bot is', async () => {
    await setup.close();
    setup = await setUpIntake({ transport, slack: {} });
    const { slack, commands, inbox } = setup;
    const event = { type: 'message', channel_type: 'channel', user: alice, channel: general };
    const noBody = { type: 'event_callback', team_id: SANDBOX.teamId, event_id: 'Ev9', authorizations: [] };
    if (transport === 'sockets') return;
    const post = (changes: object) => {
      const body = JSON.stringify({ ...noBody, event: { ...event, ...changes } });
      return slack.deliverRaw({ body, headers: { 'content-type': 'application/json', ...slack.sign(body) } });
    };
    await post({ ts: '1.5', text: `${MENTION} hi` });
    await post({ ts: '2.5', text: '<@U0BOB00001> hi' });
    await eventually(
      'decided',
      () => inbox.keys().every((key) => inbox.isProcessed(key)) && commands.calls.length === 1,
    );
    expect([...commands.received.keys()]).toEqual([`msg:${SANDBOX.teamId}:${general}:1.5`]);
  });

  describe('/steward', () => {
    const lastEphemeral = () => setup.slack.waitFor(() => setup.slack.ephemerals({ user: alice }).at(-1)?.text);

    it.each(['', 'help', ' HELP '])('answers %j with help that only the asker sees', async (text) => {
      const result = await setup.slack.slashCommand({ text });
      expect(result.acked).toBe(true);
      expect(await lastEphemeral()).toContain('/steward status');
      expect(setup.commands.calls).toEqual([]);
    });

    it('shows the status', async () => {
      setup.commands.setUp({ statusFor: async () => ({ runs: [], asked: new Map(), waiting: [] }) });
      await setup.slack.slashCommand({ text: 'status' });
      expect(await lastEphemeral()).toContain('no runs');
      expect(setup.commands.of('statusFor')).toEqual([[alice]]);
    });

    it('stops the runs of the asker in the channel', async () => {
      setup.commands.setUp({ stopAll: async () => 2 });
      await setup.slack.slashCommand({ text: 'stop' });
      expect(await lastEphemeral()).toContain('2 runs');
      expect(setup.commands.of('stopAll')).toEqual([[{ actorId: alice, channelId: general }]]);
    });

    it('takes every other text as a request', async () => {
      setup.commands.setUp({ receiveCommand: async () => undefined });
      await setup.slack.slashCommand({ text: 'stop the press' });
      await eventually('handed on', () => setup.commands.calls.length === 1);
      expect(setup.commands.of('receiveCommand')[0]?.[0]).toMatchObject({
        requestKey: expect.stringMatching(/^cmd:/),
        teamId: SANDBOX.teamId,
        channelId: general,
        actorId: alice,
        text: 'stop the press',
      });
    });

    it('tells the asker to invite the bot where it is not', async () => {
      const refused = { code: 'slack_refused', retryable: false, slackCode: 'not_in_channel' } as const;
      setup.commands.setUp({ receiveCommand: () => Promise.reject(new SlackError('no', refused)) });
      await setup.slack.slashCommand({ text: 'plan it', channel: elsewhere });
      expect(await lastEphemeral()).toContain('/invite');
      await eventually('done', () => setup.inbox.keys().every((key) => setup.inbox.isProcessed(key)));
    });
  });
});
