import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandboxSlack, type SandboxSlack } from '../../../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX, type SandboxSlackOptions } from '../../../../src/sandbox/slack/setup.ts';

const { general, shared, elsewhere } = SANDBOX.channels;
const { alice, bob, dave } = SANDBOX.users;
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A sandbox and a real Bolt app on its events URL. */
async function start(options: SandboxSlackOptions = {}): Promise<{ slack: SandboxSlack; app: App }> {
  const slack = await createSandboxSlack(options);
  closers.push(() => slack.close());
  const receiver = new HTTPReceiver({ signingSecret: SANDBOX.signingSecret, logLevel: LogLevel.ERROR });
  const clientOptions = { slackApiUrl: slack.apiUrl };
  const app = new App({
    token: SANDBOX.botToken,
    receiver,
    clientOptions,
    logLevel: LogLevel.ERROR,
    convoStore: false,
    ignoreSelf: false,
  });
  const server = await app.start(0);
  closers.push(() => app.stop());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  slack.setEventsUrl(`http://127.0.0.1:${address.port}/slack/events`);
  return { slack, app };
}

const button = { type: 'button', action_id: 'ok', text: { type: 'plain_text', text: 'OK' }, value: 'v1' } as const;
const withButton = [{ type: 'actions' as const, block_id: 'b', elements: [button] }];
const modal = {
  type: 'modal' as const,
  callback_id: 'answer',
  title: { type: 'plain_text' as const, text: 'Answer' },
  submit: { type: 'plain_text' as const, text: 'Send' },
  blocks: [
    {
      type: 'input' as const,
      block_id: 'a',
      label: { type: 'plain_text' as const, text: 'Your answer' },
      element: { type: 'plain_text_input' as const, action_id: 'text', max_length: 10 },
    },
  ],
};

describe('the sandbox Slack with a Bolt app over HTTP', () => {
  it('carries a mention to the app and its answer and edit back into the thread', async () => {
    const { slack, app } = await start();
    app.event('app_mention', async ({ event, client }) => {
      const posted = await client.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text: 'working' });
      await client.chat.update({ channel: event.channel, ts: String(posted.ts), text: 'done' });
    });
    const sent = await slack.mention({ text: 'hello' });
    expect(sent).toMatchObject({ acked: true, status: 200, attempts: 1 });
    expect(sent.deliveries.map((delivery) => delivery.eventType)).toEqual(['app_mention', 'message']);
    const reply = await slack.waitFor(() => slack.thread(general, sent.ts).find((message) => message.text === 'done'));
    expect(reply.versions.map((version) => version.text)).toEqual(['working', 'done']);
    expect(reply).toMatchObject({ userId: SANDBOX.botUserId, threadTs: sent.ts, parse: 'client' });
  });

  it('sends the bot its own posts and edits as events', async () => {
    const { slack, app } = await start();
    const seen: string[] = [];
    app.use(async ({ body, next }) => {
      const { event } = body as { event?: { type: string; subtype?: string; bot_id?: string } };
      if (event !== undefined) seen.push(`${event.type}/${event.subtype ?? '-'}/${event.bot_id ?? '-'}`);
      await next();
    });
    const posted = await app.client.chat.postMessage({ channel: general, text: 'one' });
    await slack.idle();
    await app.client.chat.update({ channel: general, ts: String(posted.ts), text: 'two' });
    await slack.idle();
    expect(seen).toEqual([`message/-/${SANDBOX.botId}`, 'message/message_changed/-']);
  });

  it('gives a mention of an absent bot no event', async () => {
    const { slack } = await start();
    expect(await slack.mention({ channel: elsewhere, text: 'hello' })).toMatchObject({ acked: false, deliveries: [] });
  });

  it('delivers a direct message as message.im', async () => {
    const { slack, app } = await start();
    const types: unknown[] = [];
    app.message(async ({ message }) => {
      types.push(message.channel_type);
    });
    const sent = await slack.directMessage({ user: bob, text: 'hi' });
    expect(sent).toMatchObject({ acked: true, channel: slack.dmOf(bob) });
    expect(types).toEqual(['im']);
  });

  it('turns a click into block_actions with container, message, trigger and response URL', async () => {
    const { slack, app } = await start();
    let seen: Record<string, unknown> = {};
    app.action('ok', async ({ ack, body, respond }) => {
      await ack();
      seen = body as unknown as Record<string, unknown>;
      await respond({ replace_original: true, text: 'pressed' });
    });
    const { ts } = await app.client.chat.postMessage({ channel: general, text: 'press', blocks: withButton });
    const clicked = await slack.click({ user: bob, messageTs: String(ts), text: 'OK' });
    expect(clicked).toMatchObject({ acked: true, status: 200 });
    expect(seen).toMatchObject({
      type: 'block_actions',
      user: { id: bob, team_id: SANDBOX.teamId },
      container: { type: 'message', message_ts: ts, channel_id: general, is_ephemeral: false },
      message: { ts, text: 'press', bot_id: SANDBOX.botId },
      actions: [{ action_id: 'ok', block_id: 'b', value: 'v1', type: 'button' }],
    });
    const after = await slack.waitForMessage({ match: (message) => message.text === 'pressed' });
    expect(after).toMatchObject({ ts, blocks: [] });
  });

  it('lets nobody press a button that is not there, but lets a stale screen press an old one', async () => {
    const { slack, app } = await start();
    app.action('ok', ({ ack }) => ack());
    const { ts } = await app.client.chat.postMessage({ channel: general, text: 'press', blocks: withButton });
    const messageTs = String(ts);
    await expect(slack.click({ messageTs, actionId: 'nope' })).rejects.toThrow('on the screen: "OK" (ok)');
    await expect(slack.click({ user: dave, messageTs, actionId: 'ok' })).rejects.toThrow('not in');
    await app.client.chat.update({ channel: general, ts: messageTs, text: 'settled' });
    await expect(slack.click({ messageTs, actionId: 'ok' })).rejects.toThrow('on the screen: none');
    expect(await slack.click({ messageTs, actionId: 'ok', stale: true })).toMatchObject({ acked: true });
  });

  it('clicks with the team of the clicker in a shared channel', async () => {
    const { slack, app } = await start();
    const teams: unknown[] = [];
    app.action('ok', async ({ ack, body }) => {
      await ack();
      teams.push(body.team?.id, body.user.team_id);
    });
    const { ts } = await app.client.chat.postMessage({ channel: shared, text: 'press', blocks: withButton });
    await slack.click({ user: dave, channel: shared, messageTs: String(ts), actionId: 'ok' });
    expect(teams).toEqual([SANDBOX.partnerTeamId, SANDBOX.partnerTeamId]);
  });

  it('opens a modal, shows the errors of a submission and closes it on the next', async () => {
    const { slack, app } = await start();
    app.action('ok', async ({ ack, body, client }) => {
      await ack();
      if ('trigger_id' in body) await client.views.open({ trigger_id: body.trigger_id, view: modal });
    });
    app.view('answer', async ({ ack, view }) => {
      const value = view.state.values.a?.text?.value;
      if (value === 'bad') await ack({ response_action: 'errors', errors: { a: 'No.' } });
      else await ack();
    });
    const { ts } = await app.client.chat.postMessage({ channel: general, text: 'press', blocks: withButton });
    await slack.click({ messageTs: String(ts), actionId: 'ok' });
    await slack.waitFor(() => slack.openViews(alice).length === 1);
    await expect(slack.submitView({ values: {} })).rejects.toThrow('required');
    await expect(slack.submitView({ values: { text: 'far too long a text' } })).rejects.toThrow('At most 10');
    expect(await slack.submitView({ values: { text: 'bad' } })).toMatchObject({ errors: { a: 'No.' }, open: true });
    expect(await slack.submitView({ values: { 'Your answer': 'fine' } })).toMatchObject({ acked: true, open: false });
    expect(slack.openViews(alice)).toEqual([]);
  });

  it('posts what a command answers, for the person who typed it', async () => {
    const { slack, app } = await start();
    app.command('/steward', ({ ack, command }) => ack(`you said ${command.text}`));
    expect(await slack.slashCommand({ user: bob, text: 'help' })).toMatchObject({ acked: true });
    expect(slack.ephemerals({ user: bob }).map((message) => message.text)).toEqual(['you said help']);
    expect(slack.ephemerals({ user: alice })).toEqual([]);
  });

  it('passes the checks of a Slack URL', async () => {
    const { slack } = await start();
    expect(await slack.verifyUrl()).toBe(true);
    expect(await slack.sslCheck()).toMatchObject({ status: 200 });
  });

  it('has a wrong signature and an old timestamp refused by Bolt', async () => {
    const { slack } = await start();
    const body = JSON.stringify({ type: 'event_callback' });
    const wrong = slack.sign(body, { secret: 'other' });
    const old = slack.sign(body, { timestampS: Math.floor(Date.now() / 1_000) - 301 });
    expect(await slack.deliverRaw({ body, headers: wrong })).toMatchObject({ acked: false, status: 401 });
    expect(await slack.deliverRaw({ body, headers: old })).toMatchObject({ acked: false, status: 401 });
    expect(await slack.deliverRaw({ body })).toMatchObject({ acked: false, status: 401 });
  });

  it('shares a file with a mention, and hands it out for the token only', async () => {
    const { slack, app } = await start();
    const urls: string[] = [];
    app.event('app_mention', async ({ event }) => {
      for (const file of event.files ?? []) urls.push(file.url_private_download);
    });
    await slack.mention({ text: 'look', files: [{ name: 'a.png', mimetype: 'image/png', content: 'png!' }] });
    const [url = ''] = urls;
    const headers = { authorization: `Bearer ${SANDBOX.botToken}` };
    expect(await (await fetch(url, { headers })).text()).toBe('png!');
    const without = await fetch(url);
    expect([without.status, without.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('redirects a download to a host that sees what it is shown', async () => {
    const { slack } = await start();
    const file = slack.addFile({ name: 'a.png', mimetype: 'image/png', content: 'x', download: 'redirect' });
    const url = `${slack.baseUrl}/files-pri/${SANDBOX.teamId}-${file.id}/a.png`;
    await fetch(url, { headers: { authorization: `Bearer ${SANDBOX.botToken}` } });
    expect(slack.foreignRequests()).toEqual([{ path: `/stolen/${file.id}`, authorization: null }]);
  });
});
