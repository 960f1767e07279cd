import { describe, expect, it } from 'vitest';
import { ok, refuse } from './fake-slack.ts';
import { setupChat } from './setup-chat.ts';

const TARGET = { channelId: 'C1', threadTs: '1.0', operationId: 'answer-run1-1' };

const marked = (ts: string, operationId: string, author: object = { user: 'UBOT', bot_id: 'BBOT' }) => ({
  ts,
  ...author,
  metadata: { event_type: 'steward_message', event_payload: { operation_id: operationId } },
});

describe('a post whose outcome is unknown', () => {
  it('is found in the thread by its operation', async () => {
    const { slack, chat } = await setupChat();
    slack.on('conversations.replies', () =>
      ok({ messages: [{ ts: '1.0', user: 'U1' }, marked('1.1', 'answer-run1-10'), marked('1.2', 'answer-run1-1')] }),
    );

    expect(await chat.findPosted(TARGET)).toBe('1.2');
    expect(slack.calls.at(-1)?.args).toMatchObject({ channel: 'C1', ts: '1.0', include_all_metadata: 'true' });
  });

  it('is found on a later page', async () => {
    const { slack, chat } = await setupChat();
    slack.on('conversations.replies', ({ args }) =>
      args.cursor === 'next'
        ? ok({ messages: [marked('1.9', 'answer-run1-1')] })
        : ok({ messages: [{ ts: '1.0' }], response_metadata: { next_cursor: 'next' } }),
    );

    expect(await chat.findPosted(TARGET)).toBe('1.9');
  });

  it('is null when it never reached Slack', async () => {
    const { slack, chat } = await setupChat();
    slack.on('conversations.replies', () => ok({ messages: [{ ts: '1.0' }], response_metadata: { next_cursor: '' } }));

    expect(await chat.findPosted(TARGET)).toBeNull();
  });

  it('is not taken from another app that copied the operation', async () => {
    const { slack, chat } = await setupChat();
    slack.on('conversations.replies', () =>
      ok({ messages: [marked('1.1', 'answer-run1-1', { user: 'UOTHER', bot_id: 'BOTHER' })] }),
    );

    expect(await chat.findPosted(TARGET)).toBeNull();
  });

  it('is looked for in the channel when it opened a thread', async () => {
    const { slack, chat } = await setupChat();
    slack.on('conversations.history', () => ok({ messages: [marked('2.0', 'answer-run1-1')] }));

    expect(await chat.findPosted({ ...TARGET, threadTs: null })).toBe('2.0');
  });

  it('stops searching an endless channel', async () => {
    const { slack, chat, logger } = await setupChat();
    slack.on('conversations.history', () => ok({ messages: [], response_metadata: { next_cursor: 'more' } }));

    expect(await chat.findPosted({ ...TARGET, threadTs: null })).toBeNull();
    expect(logger.lines.map((line) => line.event)).toContain('slack_post_search_gave_up');
  });

  it('stays unknown when Slack cannot be asked', async () => {
    const { slack, chat } = await setupChat();
    slack.on('conversations.replies', () => refuse('internal_error'));

    await expect(chat.findPosted(TARGET)).rejects.toMatchObject({ retryable: true });
  });

  it.each(['missing_scope', 'not_in_channel', 'unknown_method'])(
    'counts as not made when looking is refused: %s',
    async (code) => {
      const { slack, chat, logger } = await setupChat();
      slack.on('conversations.replies', () => refuse(code));

      expect(await chat.findPosted(TARGET)).toBeNull();
      expect(logger.lines.map((line) => line.event)).toContain('slack_post_search_refused');
    },
  );

  it('tells that its thread is gone', async () => {
    const { slack, chat } = await setupChat();
    slack.on('conversations.replies', () => refuse('thread_not_found'));

    await expect(chat.findPosted(TARGET)).rejects.toMatchObject({ code: 'slack_thread_gone' });
  });

  it('is found while Slack does not say who the bot is', async () => {
    const { slack, chat } = await setupChat();
    slack.on('auth.test', () => refuse('internal_error'));
    slack.on('conversations.replies', () =>
      ok({ messages: [marked('1.1', 'answer-run1-1', { user: 'U1' }), marked('1.2', 'answer-run1-1')] }),
    );

    expect(await chat.findPosted(TARGET)).toBe('1.2');
  });
});

describe('a text file', () => {
  const file = { name: 'answer.md', content: '# Answer\n\nÄ', comment: 'The answer, as a file' };

  it('goes into the thread under its operation’s name, and is found by it', async () => {
    const { slack, chat } = await setupChat();
    let uploaded = '';
    slack.on('files.getUploadURLExternal', () => ok({ upload_url: `${slack.origin}/upload/v1/abc`, file_id: 'F1' }));
    slack.serve('/upload/v1/abc', async (request, response) => {
      for await (const chunk of request) uploaded += chunk;
      response.end('OK - 12');
    });
    slack.on('files.completeUploadExternal', () => ok({ files: [{ id: 'F1', title: 'answer.md' }] }));
    slack.on('conversations.replies', ({ args }) =>
      ok({
        messages: [
          { ts: '1.0' },
          { ts: '1.4', user: 'UBOT', files: [{ name: 'answer-run1-10.md' }] },
          { ts: '1.5', user: 'UBOT', files: [{ name: 'answer-run1-1.md' }] },
        ],
        args,
      }),
    );

    expect(await chat.uploadText(TARGET, file)).toBe('F1');
    expect(uploaded).toContain('# Answer\n\nÄ');
    expect(slack.calls.map(({ method, args }) => [method, args])).toMatchObject([
      ['files.getUploadURLExternal', { filename: 'answer-run1-1.md', length: '12' }],
      [
        'files.completeUploadExternal',
        {
          channel_id: 'C1',
          thread_ts: '1.0',
          initial_comment: file.comment,
          files: [{ id: 'F1', title: 'answer.md' }],
        },
      ],
    ]);
    expect(await chat.findPosted(TARGET)).toBe('1.5');
  });

  it('answers with its message when Slack names it', async () => {
    const { slack, chat } = await setupChat();
    slack.on('files.getUploadURLExternal', () => ok({ upload_url: `${slack.origin}/upload`, file_id: 'F1' }));
    slack.serve('/upload', (request, response) => request.resume().on('end', () => response.end('OK')));
    slack.on('files.completeUploadExternal', () =>
      ok({ files: [{ id: 'F1', shares: { private: { C1: [{ ts: '1.7' }] } } }] }),
    );

    expect(await chat.uploadText(TARGET, file)).toBe('1.7');
  });

  it('that cannot be shared is a refusal', async () => {
    const { slack, chat } = await setupChat();
    slack.on('files.getUploadURLExternal', () => refuse('missing_scope'));

    await expect(chat.uploadText(TARGET, file)).rejects.toMatchObject({ code: 'slack_refused', retryable: false });
  });
});
