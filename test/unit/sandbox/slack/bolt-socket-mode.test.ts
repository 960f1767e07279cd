import { App, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { createSandboxSlack, type SandboxSlack } from '../../../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX, type SandboxSlackOptions } from '../../../../src/sandbox/slack/setup.ts';

const { general } = SANDBOX.channels;
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startSlack(options: SandboxSlackOptions = {}): Promise<SandboxSlack> {
  const slack = await createSandboxSlack(options);
  closers.push(() => slack.close());
  return slack;
}

/** A real Bolt app in Socket Mode. `startApp` connects it. */
function createApp(slack: SandboxSlack): App {
  const clientOptions = { slackApiUrl: slack.apiUrl };
  const installerOptions = { clientOptions, port: 0 };
  const receiver = new SocketModeReceiver({ appToken: SANDBOX.appToken, installerOptions, logLevel: LogLevel.ERROR });
  return new App({ token: SANDBOX.botToken, receiver, clientOptions, logLevel: LogLevel.ERROR, convoStore: false });
}

async function startApp(app: App): Promise<void> {
  await app.start();
  closers.push(() => app.stop());
}

type Envelope = { envelope_id: string; type: string; retry_attempt?: number; payload: { event: { text: string } } };
type RawSocket = { socket: WebSocket; envelopes: Envelope[]; hellos: { num_connections: number }[]; reasons: string[] };

/** A bare socket that acknowledges nothing unless told to. */
async function openSocket(slack: SandboxSlack, options: { ack: boolean }): Promise<RawSocket> {
  const headers = { authorization: `Bearer ${SANDBOX.appToken}` };
  const answer = await fetch(`${slack.apiUrl}apps.connections.open`, { method: 'POST', headers });
  const { url } = (await answer.json()) as { url: string };
  const socket = new WebSocket(url);
  const raw: RawSocket = { socket, envelopes: [], hellos: [], reasons: [] };
  const ready = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Envelope & { num_connections: number; reason: string };
      if (message.type === 'hello') {
        raw.hellos.push(message);
        resolve();
      } else if (message.type === 'disconnect') raw.reasons.push(message.reason);
      else {
        raw.envelopes.push(message);
        if (options.ack) socket.send(JSON.stringify({ envelope_id: message.envelope_id }));
      }
    });
  });
  closers.push(async () => socket.terminate());
  await ready;
  return raw;
}

const button = { type: 'button', action_id: 'ok', text: { type: 'plain_text', text: 'OK' } } as const;

describe('the sandbox Slack in Socket Mode', () => {
  it('carries a mention, a click and a command to a Bolt app', async () => {
    const slack = await startSlack();
    const app = createApp(slack);
    const blocks = [{ type: 'actions' as const, elements: [button] }];
    app.event('app_mention', async ({ event, client }) => {
      await client.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text: 'press', blocks });
    });
    app.action('ok', async ({ ack, respond }) => {
      await ack();
      await respond({ text: 'pressed', replace_original: true });
    });
    app.command('/steward', ({ ack }) => ack('help text'));
    await startApp(app);

    const sent = await slack.mention({ text: 'hello' });
    expect(sent).toMatchObject({ acked: true, status: 200 });
    const card = await slack.waitForMessage({ threadTs: sent.ts });
    expect(await slack.click({ messageTs: card.ts, actionId: 'ok' })).toMatchObject({ acked: true });
    await slack.waitForMessage({ match: (message) => message.text === 'pressed' });
    await slack.slashCommand({ text: 'help' });
    expect(slack.ephemerals()).toMatchObject([{ text: 'help text' }]);
  });

  it('keeps an event while no socket is open and delivers it marked as a retry', async () => {
    const slack = await startSlack();
    const app = createApp(slack);
    const retries: unknown[] = [];
    app.event('app_mention', async ({ context }) => {
      retries.push(context.retryNum);
    });
    const sending = slack.mention({ text: 'early' });
    await startApp(app);
    expect(await sending).toMatchObject({ acked: true });
    expect(retries).toEqual([1]);
  });

  it('sends each envelope to one socket, in turn', async () => {
    const slack = await startSlack();
    const sockets = [await openSocket(slack, { ack: true }), await openSocket(slack, { ack: true })];
    expect(sockets.map((each) => each.hellos[0]?.num_connections)).toEqual([1, 2]);
    for (const text of ['a', 'b', 'c', 'd']) await slack.reply({ text });
    expect(sockets.map((each) => each.envelopes.length)).toEqual([2, 2]);
  });

  it('redelivers to another socket what was not acknowledged in time', async () => {
    const slack = await startSlack({ ackTimeoutMs: 30 });
    const deaf = await openSocket(slack, { ack: false });
    const good = await openSocket(slack, { ack: true });
    const sent = await Promise.all([slack.reply({ text: 'a' }), slack.reply({ text: 'b' })]);
    expect(sent.map((each) => each.acked)).toEqual([true, true]);
    const [lost] = deaf.envelopes;
    const again = good.envelopes.find((envelope) => envelope.payload.event.text === lost?.payload.event.text);
    expect(again).toMatchObject({ retry_attempt: 1, retry_reason: 'timeout' });
  });

  it('redelivers at once when the socket of an envelope closes', async () => {
    const slack = await startSlack({ ackTimeoutMs: 60_000 });
    const first = await openSocket(slack, { ack: false });
    const sending = slack.reply({ text: 'a' });
    first.socket.once('message', () => slack.dropSockets());
    const second = await openSocket(slack, { ack: true });
    expect(await sending).toMatchObject({ acked: true, attempts: 2 });
    expect(second.envelopes).toHaveLength(1);
  });

  it('gives up on an event after three retries, and on a click at once', async () => {
    const slack = await startSlack({ ackTimeoutMs: 10 });
    await openSocket(slack, { ack: false });
    expect(await slack.reply({ text: 'a' })).toMatchObject({ acked: false, status: null, attempts: 4 });
    expect(await slack.slashCommand({ text: 'a' })).toMatchObject({ acked: false, attempts: 1 });
  });

  it('asks sockets to reconnect and gives them nothing new', async () => {
    const slack = await startSlack();
    const old = await openSocket(slack, { ack: true });
    slack.refreshSockets();
    expect(slack.socketCount()).toBe(0);
    const fresh = await openSocket(slack, { ack: true });
    await slack.reply({ text: 'a' });
    expect([old.reasons, old.envelopes.length, fresh.envelopes.length]).toEqual([['refresh_requested'], 0, 1]);
  });

  it('lets a socket in once per ticket', async () => {
    const slack = await startSlack();
    const refused = new WebSocket(`${slack.baseUrl.replace('http', 'ws')}/link/?ticket=made-up`);
    const error = await new Promise<Error>((resolve) => refused.on('error', resolve));
    expect(error.message).toContain('401');
  });

  it('ends a wait for a socket when it closes', async () => {
    const slack = await createSandboxSlack();
    const sending = slack.mention({ channel: general, text: 'never' });
    await slack.close();
    expect(await sending).toMatchObject({ acked: false });
  });
});
