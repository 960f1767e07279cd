import { describe, expect, it, onTestFinished } from 'vitest';
import type { MessageContent } from '../../../src/domain/ports/chat.ts';
import { NO_TELEMETRY } from '../../../src/domain/ports/telemetry.ts';
import type { RequestFile } from '../../../src/domain/run.ts';
import { createSandboxSlack } from '../../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX, type SandboxSlackOptions } from '../../../src/sandbox/slack/setup.ts';
import { createChat } from '../../../src/slack/chat.ts';
import { createMemoryLogger } from './memory-logger.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const section = { type: 'section', text: { type: 'mrkdwn', text: 'Working' } };
const plan = {
  type: 'plan',
  title: 'Plan',
  tasks: [{ type: 'task_card', task_id: 'a', title: 'Look', status: 'pending' }],
};
const CONTENT: MessageContent = { text: 'Working, 0 of 1', blocks: [section, plan], fallbackBlocks: [section] };

async function setUp(options: SandboxSlackOptions = {}) {
  const slack = await createSandboxSlack({ echoBotMessages: false, ...options });
  const chat = createChat({
    token: slack.setup.botToken,
    apiUrl: slack.apiUrl,
    editIntervalMs: 20,
    editsPerMinute: 6_000,
    logger: createMemoryLogger(),
    telemetry: NO_TELEMETRY,
  });
  onTestFinished(async () => {
    await chat.close();
    await slack.close();
  });
  const channelId = slack.setup.channels[0]?.id ?? '';
  const root = () =>
    chat.post({ channelId, threadTs: null, operationId: 'root-1' }, { text: 'Root', blocks: [section] });
  return { slack, chat, channelId, root };
}

const types = (blocks: readonly object[] | undefined) => blocks?.map((block) => ('type' in block ? block.type : null));

describe('against a strict Slack', () => {
  it('the bot knows who it is', async () => {
    const { chat } = await setUp();

    expect(await chat.identity.resolve()).toEqual({
      teamId: SANDBOX.teamId,
      botUserId: SANDBOX.botUserId,
      botId: SANDBOX.botId,
    });
  });

  it('a status message is posted in its thread and edited with blocks and text, unparsed', async () => {
    const { slack, chat, channelId, root } = await setUp();
    const threadTs = await root();
    const ts = await chat.post({ channelId, threadTs, operationId: 'status-1' }, CONTENT);
    const writer = chat.openStatus({ channelId, ts: Promise.resolve(ts) });
    writer.show(() => ({ ...CONTENT, text: 'Working, 1 of 1' }));
    const edited = await slack.waitForMessage({ match: (message) => message.text === 'Working, 1 of 1' });
    await writer.close();

    expect(types(edited.blocks)).toEqual(['section', 'plan']);
    expect(edited.versions.map((version) => version.parse)).toEqual(['none', 'none']);
    expect(edited).toMatchObject({
      threadTs,
      unfurlLinks: false,
      unfurlMedia: false,
      metadata: { event_payload: { operation_id: 'status-1' } },
    });
  });

  it('a workspace without plan blocks gets the fallback, once refused and ever after', async () => {
    const { slack, chat, channelId, root } = await setUp({ rejectPlanBlocks: true });
    const threadTs = await root();

    const ts = await chat.post({ channelId, threadTs, operationId: 'status-1' }, CONTENT);
    await chat.update({ channelId, ts }, CONTENT);

    expect(types(slack.thread(channelId, threadTs)[1]?.blocks)).toEqual(['section']);
    expect(slack.calls('chat.postMessage')).toHaveLength(3);
    expect(slack.calls('chat.update')).toHaveLength(1);
  });

  it('a post whose answer was lost is found, and one that never arrived is not', async () => {
    const { slack, chat, channelId, root } = await setUp();
    const threadTs = await root();
    const target = { channelId, threadTs, operationId: 'answer-1-0' };
    slack.failNext({ method: 'chat.postMessage', dropConnection: true, afterApplying: true });

    await expect(chat.post(target, CONTENT)).rejects.toMatchObject({ retryable: true });

    expect(await chat.findPosted(target)).toBe(slack.thread(channelId, threadTs)[1]?.ts);
    expect(await chat.findPosted({ ...target, operationId: 'answer-1-1' })).toBeNull();
    expect(await chat.findPosted({ channelId, threadTs: null, operationId: 'root-1' })).toBe(threadTs);
  });

  it('a file goes into the thread and is found by its operation', async () => {
    const { slack, chat, channelId, root } = await setUp();
    const threadTs = await root();
    const target = { channelId, threadTs, operationId: 'answer-1-0' };

    await chat.uploadText(target, { name: 'answer.md', content: '# Ä', comment: 'As a file' });

    const [, message] = slack.thread(channelId, threadTs);
    expect(message).toMatchObject({ text: 'As a file', files: [{ title: 'answer.md', mimetype: 'text/markdown' }] });
    expect(Buffer.from(message?.files[0]?.content ?? []).toString()).toBe('# Ä');
    expect(await chat.findPosted(target)).toBe(message?.ts);
  });

  it('a reply to a deleted thread leaves nothing in the channel', async () => {
    const { slack, chat, channelId, root } = await setUp();
    const threadTs = await root();
    await fetch(`${slack.apiUrl}chat.delete`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.setup.botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: channelId, ts: threadTs }),
    });

    await expect(chat.post({ channelId, threadTs, operationId: 'answer-1-0' }, CONTENT)).rejects.toMatchObject({
      code: 'slack_thread_gone',
      retryable: false,
    });

    expect(slack.messages(channelId)).toEqual([]);
  });

  it('a limited post is told to come back later, and delays no other call', async () => {
    const { slack, chat, channelId } = await setUp();
    slack.limitNext({ method: 'chat.postMessage', retryAfterS: 3_600 });

    await expect(chat.post({ channelId, threadTs: null, operationId: 'a' }, CONTENT)).rejects.toMatchObject({
      code: 'slack_rate_limited',
      retryAfterMs: 3_600_000,
    });

    await chat.post({ channelId, threadTs: null, operationId: 'b' }, CONTENT);
    expect(slack.messages(channelId)).toHaveLength(1);
  });

  it('a whisper is seen by its user only', async () => {
    const { slack, chat, channelId, root } = await setUp();
    const threadTs = await root();

    await chat.whisper({ channelId, threadTs, userId: SANDBOX.users.bob, text: 'Alice decides this.' });

    expect(slack.ephemerals()).toMatchObject([{ ephemeralFor: SANDBOX.users.bob, text: 'Alice decides this.' }]);
  });
});

describe('images of a request', () => {
  const asRequested = (id: string, url: string | null): RequestFile => ({
    id,
    name: 'chart.png',
    mimetype: 'image/png',
    sizeBytes: PNG.length,
    urlPrivateDownload: url,
    needsInfo: url === null,
  });

  it.each([
    ['content', { dataUrl: `data:image/png;base64,${PNG.toString('base64')}` }],
    ['login_page', { problem: expect.stringContaining('files:read') }],
    ['redirect', { problem: expect.stringContaining('not stored in Slack') }],
    ['missing', { problem: expect.stringContaining('deleted') }],
  ] as const)('are read as far as they can be: %s', async (how, expected) => {
    const { slack, chat } = await setUp();
    const file = slack.addFile({ name: 'chart.png', mimetype: 'image/png', content: PNG, download: how });

    expect(await chat.downloadImage(asRequested(file.id, null))).toMatchObject(expected);
    expect(slack.foreignRequests()).toEqual([]);
  });

  it('tell what is missing without the permission to read files', async () => {
    const { slack, chat } = await setUp({ scopes: ['chat:write'] });
    const file = slack.addFile({ name: 'chart.png', mimetype: 'image/png', content: PNG });
    const url = `${slack.baseUrl}/files-pri/${SANDBOX.teamId}-${file.id}/download/chart.png`;

    expect(await chat.downloadImage(asRequested(file.id, url))).toMatchObject({
      problem: expect.stringContaining('files:read'),
    });
  });
});
