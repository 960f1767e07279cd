import { describe, expect, it } from 'vitest';
import { ok, refuse } from './fake-slack.ts';
import { posted, setupChat, TOKEN } from './setup-chat.ts';

const TARGET = { channelId: 'C1', threadTs: '1700000000.000100', operationId: 'status-run1' };
const section = { type: 'section', text: { type: 'mrkdwn', text: 'Working' } };
const plan = { type: 'plan', title: 'Plan', tasks: [] };
const CONTENT = { text: 'Working, 1 of 3', blocks: [plan], fallbackBlocks: [section] };

describe('a post', () => {
  it('carries blocks and text, its operation, no unfurls and nothing that could ping', async () => {
    const { slack, chat } = await setupChat();
    slack.on('chat.postMessage', ({ args }) => posted(args));

    expect(await chat.post(TARGET, CONTENT)).toBe('1700000000.000200');
    expect(slack.calls[0]).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      args: {
        channel: 'C1',
        thread_ts: TARGET.threadTs,
        text: 'Working, 1 of 3',
        blocks: [plan],
        parse: 'none',
        link_names: 'false',
        unfurl_links: 'false',
        unfurl_media: 'false',
        metadata: { event_type: 'steward_message', event_payload: { operation_id: 'status-run1' } },
      },
    });
  });

  it('opens a thread when it has none', async () => {
    const { slack, chat } = await setupChat();
    slack.on('chat.postMessage', ({ args }) => posted(args));

    await chat.post({ ...TARGET, threadTs: null }, CONTENT);

    expect(slack.calls[0]?.args).not.toHaveProperty('thread_ts');
  });

  it('is made once when its answer is lost', async () => {
    const { slack, chat } = await setupChat();
    slack.on('chat.postMessage', () => ({ drop: true }));

    await expect(chat.post(TARGET, CONTENT)).rejects.toMatchObject({ code: 'slack_unreachable', retryable: true });
    expect(slack.calls).toHaveLength(1);
  });

  it('that landed outside its thread is removed, and the thread is gone', async () => {
    const { slack, chat } = await setupChat();
    slack.on('chat.postMessage', () => ok({ ts: '1700000000.000900', message: { ts: '1700000000.000900' } }));
    slack.on('conversations.replies', () => refuse('thread_not_found'));
    slack.on('chat.delete', () => ok({}));

    await expect(chat.post(TARGET, CONTENT)).rejects.toMatchObject({ code: 'slack_thread_gone', retryable: false });
    expect(slack.calls.at(-1)).toMatchObject({
      method: 'chat.delete',
      args: { channel: 'C1', ts: '1700000000.000900' },
    });
  });

  it('tells that the thread is gone even when the stray cannot be removed', async () => {
    const { slack, chat, logger } = await setupChat();
    slack.on('chat.postMessage', () => ok({ ts: '1.9', message: { ts: '1.9' } }));
    slack.on('conversations.replies', () => refuse('thread_not_found'));
    slack.on('chat.delete', () => refuse('cant_delete_message'));

    await expect(chat.post(TARGET, CONTENT)).rejects.toMatchObject({ code: 'slack_thread_gone' });
    expect(logger.lines.map((line) => line.event)).toContain('slack_stray_not_removed');
  });

  it.each(['its root', 'an error'])(
    'stays when Slack only leaves out its thread, and answers for the thread with %s',
    async (answer) => {
      const { slack, chat } = await setupChat();
      slack.on('chat.postMessage', () => ok({ ts: '1.9', message: { ts: '1.9' } }));
      slack.on('conversations.replies', () =>
        answer === 'its root' ? ok({ messages: [{ ts: '1.1' }] }) : refuse('missing_scope'),
      );

      await expect(chat.post(TARGET, CONTENT)).resolves.toBe('1.9');
      expect(slack.calls.map(({ method }) => method)).not.toContain('chat.delete');
    },
  );
});

describe('a message whose blocks are refused', () => {
  it('goes out with its fallback blocks, and later plans go straight to theirs', async () => {
    const { slack, chat, logger } = await setupChat();
    slack.on('chat.postMessage', ({ args }) =>
      JSON.stringify(args.blocks).includes('"plan"') ? refuse('invalid_blocks') : posted(args),
    );
    slack.on('chat.update', () => ok({}));

    await chat.post(TARGET, CONTENT);
    await chat.update({ channelId: 'C1', ts: '1700000000.000200' }, CONTENT);

    expect(slack.calls.map(({ method, args }) => [method, args.blocks])).toEqual([
      ['chat.postMessage', [plan]],
      ['chat.postMessage', [section]],
      ['chat.update', [section]],
    ]);
    expect(logger.lines.map((line) => line.event)).toContain('slack_blocks_fell_back');
  });

  it('goes out as text when its fallback is refused too', async () => {
    const { slack, chat } = await setupChat();
    slack.on('chat.postMessage', ({ args }) => (args.blocks ? refuse('invalid_blocks') : posted(args)));

    await chat.post(TARGET, CONTENT);

    expect(slack.calls).toHaveLength(3);
    expect(slack.calls[2]?.args).toMatchObject({ text: 'Working, 1 of 3' });
  });

  it('does not give up plans for one that was only too long', async () => {
    const { slack, chat } = await setupChat();
    slack.on('chat.postMessage', ({ args }) =>
      JSON.stringify(args.blocks).includes('"plan"') ? refuse('msg_blocks_too_long') : posted(args),
    );

    await chat.post(TARGET, CONTENT);
    await chat.post(TARGET, CONTENT);

    expect(slack.calls.filter(({ args }) => JSON.stringify(args.blocks).includes('"plan"'))).toHaveLength(2);
  });

  it('is an error when not even its text is taken', async () => {
    const { slack, chat } = await setupChat();
    slack.on('chat.postMessage', () => refuse('msg_too_long'));

    await expect(chat.post(TARGET, CONTENT)).rejects.toMatchObject({ code: 'slack_blocks_rejected' });
  });

  it('is not sent again in other blocks for another error', async () => {
    const { slack, chat } = await setupChat();
    slack.on('chat.postMessage', () => refuse('not_in_channel'));

    await expect(chat.post(TARGET, CONTENT)).rejects.toMatchObject({ slackCode: 'not_in_channel' });
    expect(slack.calls).toHaveLength(1);
  });
});

it('an update sends blocks and text together and sets parse again', async () => {
  const { slack, chat } = await setupChat();
  slack.on('chat.update', () => ok({}));

  await chat.update({ channelId: 'C1', ts: '1.2' }, { text: 'Done', blocks: [section] });

  expect(slack.calls[0]?.args).toMatchObject({
    channel: 'C1',
    ts: '1.2',
    text: 'Done',
    blocks: [section],
    parse: 'none',
  });
});

it('a whisper goes to one person, in the thread, without parsing', async () => {
  const { slack, chat } = await setupChat();
  slack.on('chat.postEphemeral', () => ok({ message_ts: '1.3' }));

  await chat.whisper({ channelId: 'C1', threadTs: '1.1', userId: 'U2', text: 'Ada decides this.' });

  expect(slack.calls[0]?.args).toMatchObject({ user: 'U2', thread_ts: '1.1', parse: 'none' });
});

describe('the bot’s identity', () => {
  it('is asked for once', async () => {
    const { slack, chat } = await setupChat();

    expect(await chat.identity.resolve()).toEqual({ teamId: 'T1', botUserId: 'UBOT', botId: 'BBOT' });
    await chat.identity.resolve();

    expect(slack.calls).toHaveLength(1);
  });

  it('is asked for again after a failure', async () => {
    const { slack, chat } = await setupChat();
    slack.on('auth.test', () => refuse('internal_error'));
    await expect(chat.identity.resolve()).rejects.toMatchObject({ retryable: true });

    slack.on('auth.test', () => ok({ team_id: 'T1', user_id: 'UBOT', bot_id: 'BBOT' }));

    expect(await chat.identity.resolve()).toMatchObject({ teamId: 'T1' });
  });
});
