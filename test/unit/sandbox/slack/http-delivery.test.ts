import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeServer, listen } from '../../../../src/sandbox/slack/foreign-host.ts';
import type { Json } from '../../../../src/sandbox/slack/json.ts';
import { createSandboxSlack, type SandboxSlack } from '../../../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX, type SandboxSlackOptions } from '../../../../src/sandbox/slack/setup.ts';

const { general, shared } = SANDBOX.channels;
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Received = { headers: IncomingHttpHeaders; body: { event: Json; event_id: string } & Json };
type Reply = { status: number; headers?: Record<string, string> } | 'silence';

/** A sandbox and a bare app that answers as told: one reply per request, 200 when none is left. */
async function start(input: { replies?: Reply[]; options?: SandboxSlackOptions } = {}) {
  const replies = [...(input.replies ?? [])];
  const received: Received[] = [];
  const app = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
    const reply = replies.shift() ?? { status: 200 };
    if (reply !== 'silence') response.writeHead(reply.status, reply.headers).end();
  });
  const port = await listen(app, 0);
  closers.push(() => closeServer(app));
  const eventsUrl = `http://127.0.0.1:${port}/slack/events`;
  const slack: SandboxSlack = await createSandboxSlack({ eventsUrl, retryDelaysMs: [0, 0, 0], ...input.options });
  closers.push(() => slack.close());
  return { slack, received };
}

const retryHeaders = ({ headers }: Received) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']];

describe('events over HTTP', () => {
  it('retries a failed event three times with number and reason', async () => {
    const { slack, received } = await start({ replies: Array.from({ length: 4 }, () => ({ status: 500 })) });
    expect(await slack.reply({ text: 'x' })).toMatchObject({ acked: false, status: 500, attempts: 4 });
    expect(received.map(retryHeaders)).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
      ['2', 'http_error'],
      ['3', 'http_error'],
    ]);
    expect(new Set(received.map(({ body }) => body.event_id)).size).toBe(1);
  });

  it('makes Node warn of nothing while many events wait for their retries, and waits for none when it is closed', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => void warnings.push(message);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { slack, received } = await start({
      replies: Array.from({ length: 20 }, () => ({ status: 500 })),
      options: { retryDelaysMs: [3_600_000] },
    });
    const sending = Array.from({ length: 20 }, () => slack.reply({ text: 'x' }));
    await vi.waitFor(() => expect(received).toHaveLength(20));
    // A request of its own: all answers before it have arrived.
    await slack.deliverRaw({ body: '{}' });
    await slack.close();
    expect((await Promise.all(sending)).map(({ attempts }) => attempts)).toEqual(sending.map(() => 1));
    expect(warnings).toEqual([]);
  });

  it('retries after a late answer', async () => {
    const { slack, received } = await start({ replies: ['silence'], options: { ackTimeoutMs: 40 } });
    expect(await slack.reply({ text: 'x' })).toMatchObject({ acked: true, attempts: 2 });
    expect(received.map(retryHeaders).at(-1)).toEqual(['1', 'http_timeout']);
  });

  it('stops when the app says so', async () => {
    const { slack } = await start({ replies: [{ status: 500, headers: { 'x-slack-no-retry': '1' } }] });
    expect(await slack.reply({ text: 'x' })).toMatchObject({ acked: false, attempts: 1 });
  });

  it('names a refused connection', async () => {
    const { slack } = await start();
    slack.setEventsUrl('http://127.0.0.1:1/slack/events');
    expect(await slack.reply({ text: 'x' })).toMatchObject({ acked: false, status: null, ackMs: null, attempts: 4 });
  });

  it('wraps an event as Slack does', async () => {
    const { slack, received } = await start();
    const sent = await slack.reply({ channel: shared, user: SANDBOX.users.dave, text: 'x' });
    expect(received[0]?.body).toMatchObject({
      type: 'event_callback',
      team_id: SANDBOX.teamId,
      context_team_id: SANDBOX.teamId,
      api_app_id: SANDBOX.appId,
      is_ext_shared_channel: true,
      authorizations: [{ team_id: SANDBOX.teamId, user_id: SANDBOX.botUserId, is_bot: true }],
      event: {
        type: 'message',
        channel: shared,
        channel_type: 'channel',
        user: SANDBOX.users.dave,
        user_team: SANDBOX.partnerTeamId,
        ts: sent.ts,
        event_ts: sent.ts,
      },
    });
  });

  it('sends the two events of a mention in the order asked for', async () => {
    const { slack, received } = await start();
    await slack.mention({ text: 'x', order: 'message-first', gapMs: 20 });
    expect(received.map(({ body }) => body.event.type)).toEqual(['message', 'app_mention']);
    expect(new Set(received.map(({ body }) => body.event_id)).size).toBe(2);
    expect(new Set(received.map(({ body }) => body.event.ts)).size).toBe(1);
  });

  it('delivers again with the same or a new event id, with or without retry headers', async () => {
    const { slack, received } = await start();
    const sent = await slack.mention({ text: 'x' });
    const copies = await slack.redeliver(sent.ts, { newEventId: true, times: 2, eventType: 'message' });
    expect(copies).toHaveLength(2);
    await slack.redeliver(sent.ts, { eventType: 'app_mention', retry: { num: 2, reason: 'http_timeout' } });
    expect(new Set(received.map(({ body }) => body.event_id)).size).toBe(4);
    expect(received.map(retryHeaders).at(-1)).toEqual(['2', 'http_timeout']);
    expect(() => slack.redeliver('1.000001')).toThrow('No event');
  });

  it('tells of edits, previews and deletions', async () => {
    const { slack, received } = await start();
    const { ts } = await slack.mention({ text: 'one' });
    await slack.unfurl({ ts });
    await slack.editMessage({ ts, text: `<@${SANDBOX.botUserId}> two` });
    await slack.deleteMessage({ ts });
    const events = received.slice(2).map(({ body }) => body.event);
    expect(events.map(({ type, subtype }) => [type, subtype])).toEqual([
      ['message', 'message_changed'],
      ['message', 'message_changed'],
      ['app_mention', undefined],
      ['message', 'message_deleted'],
    ]);
    expect(events[0]).toMatchObject({ message: { attachments: [{}] }, previous_message: { ts } });
    expect(events[1]).toMatchObject({ message: { edited: { user: SANDBOX.users.alice } } });
    expect(events[2]).toHaveProperty('edited');
    expect(events[3]).toMatchObject({ deleted_ts: ts });
    expect(slack.messages(general)).toEqual([]);
  });

  it('refuses what a person cannot do', async () => {
    const { slack } = await start();
    await expect(slack.reply({ text: 'x', threadTs: '1.000001' })).rejects.toThrow('not a thread');
    await expect(slack.reply({ text: 'x', channel: SANDBOX.channels.archived })).rejects.toThrow('archived');
    await expect(slack.reply({ text: 'x', user: SANDBOX.users.dave })).rejects.toThrow('not in');
  });
});
