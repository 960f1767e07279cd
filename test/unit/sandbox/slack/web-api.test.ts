import { LogLevel, WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandboxSlack, type SandboxSlack } from '../../../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX, type SandboxSlackOptions } from '../../../../src/sandbox/slack/setup.ts';

const { general, archived, elsewhere, private: hidden } = SANDBOX.channels;
const { alice, bob, dave } = SANDBOX.users;
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A sandbox whose own events go nowhere, and a real WebClient that does not retry. */
async function start(options: SandboxSlackOptions = {}, token: string = SANDBOX.botToken) {
  const slack = await createSandboxSlack({ echoBotMessages: false, ...options });
  closers.push(() => slack.close());
  const client = new WebClient(token, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
  });
  return { slack, client };
}

/** A person's message that reaches no app. */
function write(slack: SandboxSlack, input: { text: string; threadTs?: string }): string {
  void slack.reply(input);
  return slack.messages(general).at(-1)?.ts ?? '';
}

/** The Slack error word of a failed call, and what else it said. */
async function refusal(call: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await call;
  } catch (error) {
    return (error as { data: Record<string, unknown> }).data;
  }
  throw new Error('the call was not refused');
}

async function word(call: Promise<unknown>): Promise<unknown> {
  return (await refusal(call)).error;
}

const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

describe('tokens and scopes', () => {
  it('says who the bot is', async () => {
    const { client } = await start();
    expect(await client.auth.test()).toMatchObject({ user_id: SANDBOX.botUserId, team_id: SANDBOX.teamId });
  });

  it('refuses a missing, wrong and misplaced token and an unknown method', async () => {
    const { slack, client } = await start();
    expect(await (await fetch(`${slack.apiUrl}auth.test`)).json()).toEqual({ ok: false, error: 'not_authed' });
    expect(await word(client.auth.test({ token: 'xoxb-other' }))).toBe('invalid_auth');
    expect(await word(client.apps.connections.open())).toBe('not_allowed_token_type');
    expect(await word(client.apiCall('chat.shout'))).toBe('unknown_method');
    expect(await word(client.apiCall('constructor'))).toBe('unknown_method');
  });

  it('refuses a method whose scope is missing and names it', async () => {
    const { client } = await start({ scopes: ['users:read'] });
    const refused = await refusal(client.chat.postMessage({ channel: general, text: 'x' }));
    expect(refused).toMatchObject({ error: 'missing_scope', needed: 'chat:write', provided: 'users:read' });
  });

  it('takes JSON bodies too', async () => {
    const { slack } = await start();
    const headers = { authorization: `Bearer ${SANDBOX.botToken}`, 'content-type': 'application/json; charset=utf-8' };
    const body = JSON.stringify({ channel: general, blocks: [section('hello')], text: 'x' });
    const answer = await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ ok: true, channel: general });
  });
});

describe('posting', () => {
  it('names where and why it cannot post', async () => {
    const { client } = await start();
    const post = (channel: string) => word(client.chat.postMessage({ channel, text: 'x' }));
    expect(await post('C0NOWHERE1')).toBe('channel_not_found');
    expect(await post(elsewhere)).toBe('not_in_channel');
    expect(await post(archived)).toBe('is_archived');
    expect(await word(client.chat.postMessage({ channel: general, text: ' ' }))).toBe('no_text');
  });

  it('refuses markdown_text beside text or blocks, and above 12,000 characters', async () => {
    const { client } = await start();
    const post = (content: object) => word(client.apiCall('chat.postMessage', { channel: general, ...content }));
    expect(await post({ markdown_text: '**x**', text: 'x' })).toBe('markdown_text_conflict');
    expect(await post({ markdown_text: '**x**', blocks: [section('x')] })).toBe('markdown_text_conflict');
    expect(await post({ markdown_text: 'x'.repeat(12_001) })).toBe('msg_too_long');
  });

  it('shows a private channel without the bot as not found', async () => {
    const { slack, client } = await start();
    slack.changeChannel(hidden, { members: [alice] });
    expect(await word(client.chat.postMessage({ channel: hidden, text: 'x' }))).toBe('channel_not_found');
  });

  it('opens the direct message of a user it is given as channel', async () => {
    const { slack, client } = await start();
    const posted = await client.chat.postMessage({ channel: bob, text: 'hi' });
    expect(posted.channel).toBe(slack.dmOf(bob));
    expect(await client.conversations.open({ users: bob })).toMatchObject({ channel: { id: posted.channel } });
  });

  it('cuts text above 40,000 characters without an error', async () => {
    const { client } = await start();
    const posted = await client.chat.postMessage({ channel: general, text: 'x'.repeat(40_001) });
    expect(posted.message?.text).toHaveLength(40_000);
  });

  it('refuses a reply as thread, and lets a post to a dead thread land in the channel', async () => {
    const { slack, client } = await start();
    const root = write(slack, { text: 'root' });
    const reply = write(slack, { text: 'reply', threadTs: root });
    const post = (thread_ts: string) => client.chat.postMessage({ channel: general, thread_ts, text: 'x' });
    expect(await word(post(reply))).toBe('cannot_reply_to_message');
    expect((await post(root)).message?.thread_ts).toBe(root);
    void slack.deleteMessage({ ts: root });
    expect((await post(root)).message).not.toHaveProperty('thread_ts');
  });

  it('shows an ephemeral message to its user only, who must be there', async () => {
    const { slack, client } = await start();
    await client.chat.postEphemeral({ channel: general, user: bob, text: 'psst' });
    expect(slack.ephemerals({ user: bob })).toHaveLength(1);
    expect(slack.messages(general)).toEqual([]);
    expect(await word(client.chat.postEphemeral({ channel: general, user: dave, text: 'x' }))).toBe(
      'user_not_in_channel',
    );
  });
});

describe('editing', () => {
  async function posted(options: SandboxSlackOptions = {}) {
    const { slack, client } = await start(options);
    const metadata = { event_type: 'op', event_payload: { id: '1' } };
    const { ts } = await client.chat.postMessage({ channel: general, text: 'one', blocks: [section('one')], metadata });
    const at = { channel: general, ts: String(ts) };
    const current = () => slack.messages(general).find((message) => message.ts === ts);
    return { slack, client, at, current };
  }

  it('removes the blocks when only text is given, and keeps the metadata', async () => {
    const { client, at, current } = await posted();
    await client.chat.update({ ...at, text: 'two' });
    expect(current()).toMatchObject({ text: 'two', blocks: [], metadata: { event_type: 'op' } });
  });

  it('keeps the text when only blocks are given, and drops metadata for an empty object', async () => {
    const { client, at, current } = await posted();
    await client.apiCall('chat.update', { ...at, blocks: [section('two')], metadata: {} });
    expect(current()).toMatchObject({ text: 'one', blocks: [{ text: { text: 'two' } }], metadata: null });
  });

  it('forgets parse and link_names of the post unless they are sent again', async () => {
    const { client, at, current } = await posted();
    expect(current()?.parse).toBe('none');
    await client.chat.update({ ...at, text: 'two' });
    expect(current()?.parse).toBe('client');
    await client.chat.update({ ...at, text: 'three', parse: 'none' });
    expect(current()?.parse).toBe('none');
  });

  it('keeps every version with its time', async () => {
    let now = 1_700_000_000_000;
    const { client, at, current } = await posted({ now: () => now });
    now += 5_000;
    await client.chat.update({ ...at, text: 'two' });
    const versions = current()?.versions.map(({ text, atMs }) => [text, atMs]);
    expect(versions).toEqual([
      ['one', 1_700_000_000_000],
      ['two', 1_700_000_005_000],
    ]);
  });

  it('refuses long text, other authors, unknown and deleted messages', async () => {
    const { slack, client, at } = await posted();
    const update = (ts: string, text = 'x') => word(client.chat.update({ channel: general, ts, text }));
    expect(await update(at.ts, 'x'.repeat(4_001))).toBe('msg_too_long');
    expect(await update(write(slack, { text: 'mine' }))).toBe('cant_update_message');
    expect(await update('1.000001')).toBe('message_not_found');
    await client.chat.delete(at);
    expect(await update(at.ts)).toBe('message_not_found');
  });

  it('refuses an edit in an archived channel', async () => {
    const { slack, client, at } = await posted();
    slack.changeChannel(general, { archived: true });
    expect(await word(client.chat.update({ ...at, text: 'x' }))).toBe('is_inactive');
  });
});

describe('reading', () => {
  it('pages through a thread and shows metadata on demand', async () => {
    const { slack, client } = await start();
    const root = write(slack, { text: 'root' });
    for (const id of ['1', '2']) {
      const metadata = { event_type: 'op', event_payload: { id } };
      await client.chat.postMessage({ channel: general, thread_ts: root, text: id, metadata });
    }
    const thread = { channel: general, ts: root, limit: 2 };
    const first = await client.conversations.replies({ ...thread, include_all_metadata: true });
    expect(first.messages?.map((message) => message.text)).toEqual(['root', '1']);
    expect(first.messages?.[0]).toMatchObject({ reply_count: 2, thread_ts: root });
    expect(first.messages?.[1]).toMatchObject({ metadata: { event_payload: { id: '1' } } });
    const cursor = first.response_metadata?.next_cursor ?? '';
    const second = await client.conversations.replies({ ...thread, cursor });
    expect(second.messages?.map((message) => message.text)).toEqual(['2']);
    expect(second.messages?.[0]).not.toHaveProperty('metadata');
    expect(await word(client.conversations.replies({ channel: general, ts: '1.000001' }))).toBe('thread_not_found');
  });

  it('shows only roots in the history, newest first', async () => {
    const { slack, client } = await start();
    const root = write(slack, { text: 'a' });
    write(slack, { text: 'reply', threadTs: root });
    write(slack, { text: 'b' });
    const { messages } = await client.conversations.history({ channel: general });
    expect(messages?.map((message) => message.text)).toEqual(['b', 'a']);
  });

  it('reads markdown blocks back translated', async () => {
    const { client } = await start();
    const posted = await client.chat.postMessage({ channel: general, markdown_text: '**hi**' });
    expect(posted.message?.blocks?.[0]?.type).toBe('rich_text');
  });

  it('knows groups and channels', async () => {
    const { client } = await start();
    expect(await client.usergroups.users.list({ usergroup: 'S0FINANCE1' })).toMatchObject({ users: [bob] });
    expect(await word(client.usergroups.users.list({ usergroup: 'S0NOSUCH01' }))).toBe('no_such_subteam');
    expect(await client.conversations.info({ channel: SANDBOX.channels.shared })).toMatchObject({
      channel: { is_ext_shared: true },
    });
  });

  it('lists members in pages', async () => {
    const { client } = await start();
    const first = await client.conversations.members({ channel: general, limit: 3 });
    const cursor = String(first.response_metadata?.next_cursor);
    const second = await client.conversations.members({ channel: general, limit: 3, cursor });
    expect([first.members, second.members]).toEqual([
      [SANDBOX.botUserId, alice, bob],
      [SANDBOX.users.carol, SANDBOX.users.otherBot],
    ]);
    expect(second.response_metadata?.next_cursor).toBe('');
    expect(await word(client.conversations.members({ channel: general, limit: 5_000 }))).toBe('invalid_limit');
    expect(await word(client.conversations.members({ channel: general, cursor: 'xyz' }))).toBe('invalid_cursor');
  });
});

describe('files', () => {
  it('takes an upload through the SDK and shares it in the thread', async () => {
    const { slack, client } = await start();
    const root = write(slack, { text: 'root' });
    await client.filesUploadV2({
      channel_id: general,
      thread_ts: root,
      initial_comment: 'the answer',
      filename: 'answer.md',
      content: '# Grüße',
    });
    const [, shared] = slack.thread(general, root);
    expect(shared).toMatchObject({ subtype: 'file_share', text: 'the answer', threadTs: root });
    expect(Buffer.from(shared?.files[0]?.content ?? []).toString()).toBe('# Grüße');
  });

  it('refuses to complete an upload whose bytes never came', async () => {
    const { client } = await start();
    const { file_id: id } = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 });
    const completing = client.files.completeUploadExternal({ files: [{ id: String(id) }], channel_id: general });
    expect(await word(completing)).toBe('file_not_found');
  });
});

describe('failures', () => {
  it('answers a scripted 429 with Retry-After, then goes on', async () => {
    const { slack, client } = await start();
    slack.limitNext({ method: 'chat.postMessage', retryAfterS: 7 });
    const post = () => client.chat.postMessage({ channel: general, text: 'x' });
    await expect(post()).rejects.toMatchObject({ retryAfter: 7 });
    expect((await post()).ok).toBe(true);
    expect(slack.calls('chat.postMessage').map(({ status, error }) => [status, error])).toEqual([
      [429, 'ratelimited'],
      [200, null],
    ]);
  });

  it('fails with an error word, a status or a cut connection', async () => {
    const { slack, client } = await start();
    const post = () => client.chat.postMessage({ channel: general, text: 'x' });
    slack.failNext({ method: 'chat.postMessage', error: 'fatal_error' });
    slack.failNext({ method: 'chat.postMessage', status: 503 });
    slack.failNext({ method: 'chat.postMessage', dropConnection: true });
    expect(await word(post())).toBe('fatal_error');
    await expect(post()).rejects.toMatchObject({ statusCode: 503 });
    await expect(post()).rejects.toMatchObject({ code: 'slack_webapi_request_error' });
    expect(slack.messages(general)).toEqual([]);
  });

  it('answers late where it is told to, and once', async () => {
    const { slack, client } = await start();
    slack.delayNext({ method: 'users.info', delayMs: 60_000 });
    const late = client.users.info({ user: bob }).catch((error: unknown) => error);
    await slack.waitFor(() => slack.calls('users.info').length === 1);
    expect(await client.users.info({ user: alice })).toMatchObject({ user: { id: alice } });
    expect(slack.calls('users.info').map(({ status }) => status)).toEqual([null, 200]);
    await slack.close();
    expect(await late).toBeInstanceOf(Error);
  });

  it('stores a post whose answer is lost', async () => {
    const { slack, client } = await start();
    slack.failNext({ method: 'chat.postMessage', dropConnection: true, afterApplying: true });
    await expect(client.chat.postMessage({ channel: general, text: 'x' })).rejects.toThrow();
    expect(slack.messages(general)).toMatchObject([{ text: 'x' }]);
  });

  it('limits edits to fifty a minute when the real tiers are on', async () => {
    let now = 1_700_000_000_000;
    const { client } = await start({ rateLimits: true, now: () => now });
    const { ts } = await client.chat.postMessage({ channel: general, text: 'x' });
    const edit = () => client.chat.update({ channel: general, ts: String(ts), text: 'y' });
    for (let count = 0; count < 50; count += 1) await edit();
    await expect(edit()).rejects.toMatchObject({ retryAfter: 60 });
    now += 60_000;
    expect((await edit()).ok).toBe(true);
  });
});

describe('views', () => {
  const view = { type: 'modal' as const, title: { type: 'plain_text' as const, text: 'T' }, blocks: [section('hi')] };

  it('opens once per trigger, within three seconds', async () => {
    let now = 1_700_000_000_000;
    const { slack, client } = await start({ now: () => now });
    const trigger_id = slack.issueTrigger(alice);
    await client.views.open({ trigger_id, view });
    expect(await word(client.views.open({ trigger_id, view }))).toBe('exchanged_trigger_id');
    const late = slack.issueTrigger(alice);
    now += 3_001;
    expect(await word(client.views.open({ trigger_id: late, view }))).toBe('expired_trigger_id');
    expect(await word(client.views.open({ trigger_id: 'made-up', view }))).toBe('invalid_trigger_id');
    expect(slack.openViews(alice)).toHaveLength(1);
  });

  it('updates by id and refuses an old hash', async () => {
    const { slack, client } = await start();
    const opened = await client.views.open({ trigger_id: slack.issueTrigger(alice), view });
    const view_id = String(opened.view?.id);
    const hash = String(opened.view?.hash);
    await client.views.update({ view_id, hash, view: { ...view, private_metadata: 'two' } });
    expect(slack.openViews(alice)[0]?.view.private_metadata).toBe('two');
    expect(await word(client.views.update({ view_id, hash, view }))).toBe('hash_conflict');
    expect(await word(client.views.update({ view_id: 'V0NOTHERE1', view }))).toBe('not_found');
  });
});

describe('waiting', () => {
  it('rejects with the conversation in the message', async () => {
    const { slack } = await start();
    write(slack, { text: 'where is my answer' });
    await expect(slack.waitFor(() => false, { timeoutMs: 5 })).rejects.toThrow(/#general\n.*alice: where is my answer/);
  });
});
