import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../../../src/sandbox/slack/foreign-host.ts';
import type { Json } from '../../../../src/sandbox/slack/json.ts';
import { pingsOf } from '../../../../src/sandbox/slack/pings.ts';
import { createSandboxSlack } from '../../../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX, type SandboxSlackOptions } from '../../../../src/sandbox/slack/setup.ts';

const { general } = SANDBOX.channels;
const { alice, bob } = SANDBOX.users;
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A sandbox and an app that answers every interaction with `answer` and keeps its payloads. */
async function start(input: { answer?: Json; options?: SandboxSlackOptions } = {}) {
  const payloads: Json[] = [];
  const app = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const payload = new URLSearchParams(Buffer.concat(chunks).toString()).get('payload');
    if (payload !== null) payloads.push(JSON.parse(payload));
    response.end(input.answer === undefined ? '' : JSON.stringify(input.answer));
  });
  const eventsUrl = `http://127.0.0.1:${await listen(app, 0)}/slack/events`;
  closers.push(() => closeServer(app));
  const slack = await createSandboxSlack({ eventsUrl, ...input.options });
  closers.push(() => slack.close());
  const client = new WebClient(SANDBOX.botToken, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logLevel: LogLevel.ERROR,
  });
  return { slack, client, payloads };
}

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const actions = [
  { type: 'actions' as const, elements: [{ type: 'button' as const, action_id: 'ok', text: plain('OK') }] },
];
const form = [
  {
    type: 'input' as const,
    block_id: 'who',
    label: plain('Name'),
    element: { type: 'plain_text_input' as const, action_id: 'name' },
  },
  {
    type: 'actions' as const,
    block_id: 'pick',
    elements: [
      {
        type: 'static_select' as const,
        action_id: 'size',
        options: [
          { text: plain('Small'), value: 's' },
          { text: plain('Large'), value: 'l' },
        ],
      },
      { type: 'button' as const, action_id: 'ok', text: plain('OK') },
    ],
  },
];

const post = (url: unknown, body: Json) => fetch(String(url), { method: 'POST', body: JSON.stringify(body) });

describe('forms in messages', () => {
  it('sends a choice at once, keeps an input, and shows both in state.values of the next click', async () => {
    const { slack, client, payloads } = await start();
    const { ts } = await client.chat.postMessage({ channel: general, text: 'form', blocks: form });
    const messageTs = String(ts);
    expect(await slack.fill({ messageTs, actionId: 'name', value: 'Ada' })).toBeNull();
    expect(await slack.fill({ messageTs, actionId: 'size', value: 'Large' })).toMatchObject({ acked: true });
    await slack.click({ messageTs, actionId: 'ok' });
    const size = { type: 'static_select', selected_option: { text: plain('Large'), value: 'l' } };
    const values = { who: { name: { type: 'plain_text_input', value: 'Ada' } }, pick: { size } };
    expect(payloads.map((payload) => payload.state)).toEqual([{ values }, { values }]);
    expect(payloads[0]?.actions).toMatchObject([{ action_id: 'size', selected_option: { value: 'l' } }]);
    await expect(slack.fill({ messageTs, actionId: 'size', value: 'Huge' })).rejects.toThrow('no option "Huge"');
  });

  it('keeps what one person filled in from another', async () => {
    const { slack, client, payloads } = await start();
    const { ts } = await client.chat.postMessage({ channel: general, text: 'form', blocks: form });
    const messageTs = String(ts);
    await slack.fill({ user: alice, messageTs, actionId: 'name', value: 'Ada' });
    await slack.click({ user: bob, messageTs, actionId: 'ok' });
    expect(payloads[0]?.state).toMatchObject({ values: { who: { name: { value: null } } } });
  });
});

describe('response URLs', () => {
  async function clicked(options: SandboxSlackOptions = {}) {
    const started = await start({ options });
    const { ts } = await started.client.chat.postMessage({ channel: general, text: 'press', blocks: actions });
    await started.slack.click({ messageTs: String(ts), actionId: 'ok' });
    return { ...started, url: started.payloads[0]?.response_url };
  }

  it('answer the clicker privately unless told otherwise', async () => {
    const { slack, url } = await clicked();
    await post(url, { text: 'psst' });
    await post(url, { text: 'all', response_type: 'in_channel' });
    expect(slack.ephemerals().map(({ text, ephemeralFor }) => [text, ephemeralFor])).toEqual([['psst', alice]]);
    expect(slack.messages(general).map(({ text }) => text)).toEqual(['press', 'all']);
  });

  it('delete the message they came from', async () => {
    const { slack, url } = await clicked();
    await post(url, { delete_original: true });
    expect(slack.messages(general)).toEqual([]);
  });

  it('work five times', async () => {
    const { url } = await clicked();
    const statuses: number[] = [];
    for (let use = 0; use < 6; use += 1) statuses.push((await post(url, { text: 'x' })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
  });

  it('work for thirty minutes', async () => {
    let now = 1_700_000_000_000;
    const { url } = await clicked({ now: () => now });
    now += 30 * 60_000 + 1;
    expect(await (await post(url, { text: 'x' })).text()).toBe('expired_url');
  });

  it('take no markdown_text and no bad blocks', async () => {
    const { url } = await clicked();
    expect(await (await post(url, { markdown_text: 'x' })).text()).toBe('no_text');
    expect(await (await post(url, { blocks: [{ type: 'fancy' }] })).text()).toBe('invalid_blocks');
  });
});

describe('ephemeral messages', () => {
  it('are clicked by their reader only, without a message in the payload, and replaced by response URL', async () => {
    const { slack, client, payloads } = await start();
    const shown = await client.chat.postEphemeral({ channel: general, user: bob, text: 'psst', blocks: actions });
    const messageTs = String(shown.message_ts);
    await expect(slack.click({ user: alice, messageTs, actionId: 'ok' })).rejects.toThrow('sees no message');
    await slack.click({ user: bob, messageTs, actionId: 'ok' });
    expect(payloads[0]).toMatchObject({ container: { is_ephemeral: true, message_ts: messageTs } });
    expect(payloads[0]).not.toHaveProperty('message');
    await post(payloads[0]?.response_url, { replace_original: true, text: 'done' });
    expect(slack.ephemerals()).toMatchObject([{ ts: messageTs, text: 'done', blocks: [] }]);
  });
});

describe('modals', () => {
  const modal = (fields: Json = {}) => ({
    type: 'modal' as const,
    title: plain('T'),
    submit: plain('Send'),
    blocks: actions,
    ...fields,
  });

  it('follow an update, a push and a clear in the answer to a submission', async () => {
    for (const [answer, titles] of [
      [{ response_action: 'update', view: modal({ title: plain('Next') }) }, ['Next']],
      [{ response_action: 'push', view: modal({ title: plain('Over') }) }, ['T', 'Over']],
      [{ response_action: 'clear' }, []],
    ] as const) {
      const { slack, client } = await start({ answer });
      await client.views.open({ trigger_id: slack.issueTrigger(alice), view: modal() });
      expect(await slack.submitView({})).toMatchObject({ acked: true, problem: null });
      expect(slack.openViews(alice).map(({ view }) => (view.title as { text: string }).text)).toEqual(titles);
    }
  });

  it('stay open when the answer is one that Slack does not take', async () => {
    const { slack, client } = await start({ answer: { response_action: 'errors', errors: { nowhere: 'No.' } } });
    await client.views.open({ trigger_id: slack.issueTrigger(alice), view: modal() });
    expect(await slack.submitView({})).toMatchObject({ open: true, problem: 'no such block: nowhere' });
  });

  it('stack three high by views.push with a trigger of the view itself', async () => {
    const { slack, client, payloads } = await start();
    await client.views.open({ trigger_id: slack.issueTrigger(alice), view: modal() });
    const push = async () => {
      await slack.clickInView({ actionId: 'ok' });
      return client.views.push({ trigger_id: String(payloads.at(-1)?.trigger_id), view: modal() });
    };
    await push();
    await push();
    await expect(push()).rejects.toThrow('push_limit_reached');
    expect(slack.openViews(alice)).toHaveLength(3);
  });

  it('tell of being closed only when they asked for it', async () => {
    const { slack, client, payloads } = await start();
    await client.views.open({ trigger_id: slack.issueTrigger(alice), view: modal() });
    expect(await slack.closeView({})).toBeNull();
    await client.views.open({ trigger_id: slack.issueTrigger(alice), view: modal({ notify_on_close: true }) });
    expect(await slack.closeView({})).toMatchObject({ acked: true });
    expect(payloads.map((payload) => payload.type)).toEqual(['view_closed']);
  });
});

describe('pings', () => {
  const version = { text: '', blocks: [], metadata: null, parse: 'none', linkNames: false, atMs: 0 };

  it('are found in text, mrkdwn, markdown and rich text, not in code or plain text', () => {
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text: '<!here> `<!channel>`' } },
      { type: 'section', text: { type: 'plain_text', text: '<!everyone>' } },
      { type: 'markdown', text: '<@U0ALICE001>\n```\n<!channel>\n```' },
      { type: 'rich_text', elements: [{ type: 'usergroup', usergroup_id: 'S1' }] },
    ];
    expect(pingsOf({ ...version, text: 'a <@U0BOB00001|bob>', blocks })).toEqual([
      '@U0BOB00001',
      '!here',
      '@U0ALICE001',
      '!subteam^S1',
    ]);
  });

  it('are raw words only where Slack is asked to read them', () => {
    expect(pingsOf({ ...version, text: 'hey @here' })).toEqual([]);
    expect(pingsOf({ ...version, text: 'hey @here', linkNames: true })).toEqual(['@here']);
    expect(pingsOf({ ...version, text: 'https://hackmd.io/@here', linkNames: true })).toEqual([]);
  });
});
