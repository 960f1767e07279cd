import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClients } from '../../../src/slack/clients.ts';
import { callSlack, toSlackError } from '../../../src/slack/map-error.ts';
import { createSdkLogger } from '../../../src/slack/sdk-logger.ts';
import { type Answer, type FakeSlack, refuse, startFakeSlack } from './fake-slack.ts';
import { createMemoryLogger } from './memory-logger.ts';
import { TOKEN } from './setup-chat.ts';

let slack: FakeSlack;
let logger: ReturnType<typeof createMemoryLogger>;

beforeEach(async () => {
  slack = await startFakeSlack();
  logger = createMemoryLogger();
});
afterEach(() => slack.close());

/** What a post that Slack answers like this fails with. */
async function failureOf(answer: Answer) {
  slack.on('chat.postMessage', () => answer);
  const { posts } = createClients({ token: TOKEN, apiUrl: slack.apiUrl, logger });
  const post = callSlack('chat.postMessage', () =>
    posts.chat.postMessage({ channel: 'C1', text: 'quarterly figures' }),
  );
  return toSlackError(await post.catch((error: unknown) => error), 'none');
}

describe('a call that Slack refuses', () => {
  const terminal = [
    'not_in_channel',
    'is_archived',
    'channel_not_found',
    'restricted_action_read_only_channel',
    'cant_update_message',
    'edit_window_closed',
    'a_word_of_the_future',
  ];
  it.each(terminal)('is given up for %s', async (word) => {
    expect(await failureOf(refuse(word))).toMatchObject({ code: 'slack_refused', retryable: false, slackCode: word });
  });

  it.each(['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired', 'team_disabled'])(
    'stays owed until an operator has seen to the token for %s, which the message names',
    async (word) => {
      const failure = await failureOf(refuse(word));
      expect(failure).toMatchObject({ code: 'slack_token_refused', retryable: true, slackCode: word });
      expect(failure.message).toMatch(new RegExp(`^SLACK_BOT_TOKEN is refused by Slack \\(${word}\\)`));
    },
  );

  it('says which scope it takes when that is missing', async () => {
    const failure = await failureOf({
      body: { ok: false, error: 'missing_scope', needed: 'chat:write', provided: '' },
    });
    expect(failure).toMatchObject({ code: 'slack_refused', slackCode: 'missing_scope' });
    expect(failure.message).toContain('it takes chat:write');
  });

  it('is told apart when its message is not there any more', async () => {
    const failure = await failureOf(refuse('message_not_found'));
    expect(failure).toMatchObject({ code: 'slack_message_gone', retryable: false });
  });

  it.each(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'])(
    'may be tried again for %s',
    async (word) => {
      expect(await failureOf(refuse(word))).toMatchObject({ code: 'slack_unreachable', retryable: true });
    },
  );

  it.each(['invalid_blocks', 'invalid_attachments', 'block_mismatch', 'msg_blocks_too_long', 'msg_too_long'])(
    'is a matter of its blocks for %s',
    async (word) => {
      expect(await failureOf(refuse(word))).toMatchObject({ code: 'slack_blocks_rejected', retryable: false });
    },
  );

  it.each(['ratelimited', 'rate_limited', 'message_limit_exceeded'])('may be tried later for %s', async (word) => {
    expect(await failureOf(refuse(word))).toMatchObject({
      code: 'slack_rate_limited',
      retryable: true,
      slackCode: word,
    });
  });

  it('says that the thread is gone when Slack does', async () => {
    expect(await failureOf(refuse('thread_not_found'))).toMatchObject({ code: 'slack_thread_gone', retryable: false });
  });
});

describe('a 429', () => {
  it('carries its Retry-After and is not tried again by the SDK', async () => {
    const failure = await failureOf({ status: 429, headers: { 'retry-after': '7' }, body: refuse('ratelimited').body });

    expect(failure).toMatchObject({ code: 'slack_rate_limited', retryable: true, retryAfterMs: 7_000 });
    expect(slack.calls).toHaveLength(1);
  });

  it('without a Retry-After is a limit all the same', async () => {
    expect(await failureOf({ status: 429 })).toMatchObject({
      code: 'slack_rate_limited',
      retryable: true,
      retryAfterMs: null,
    });
  });
});

describe('a call without an answer', () => {
  it.each([500, 502, 503, 408])('is unreachable for HTTP %d, and is not repeated', async (status) => {
    expect(await failureOf({ status })).toMatchObject({ code: 'slack_unreachable', retryable: true });
    expect(slack.calls).toHaveLength(1);
  });

  it('is unreachable when the connection drops, and is not repeated', async () => {
    expect(await failureOf({ drop: true })).toMatchObject({ code: 'slack_unreachable', retryable: true });
    expect(slack.calls).toHaveLength(1);
  });

  it('is unreachable when a proxy answers with a page, whose text stays out of the message', async () => {
    const failure = await failureOf({ body: '<html>please log in</html>' });

    expect(failure).toMatchObject({ code: 'slack_unreachable', retryable: true, slackCode: null });
    expect(failure.message).not.toContain('html');
  });

  it('is unreachable when it takes too long', async () => {
    slack.on('auth.test', () => new Promise(() => {}));
    const hasty = new WebClient(TOKEN, {
      slackApiUrl: slack.apiUrl,
      timeout: 20,
      retryConfig: { retries: 0 },
      logger: createSdkLogger(logger),
    });

    await expect(callSlack('auth.test', () => hasty.auth.test())).rejects.toMatchObject({
      code: 'slack_unreachable',
      retryable: true,
    });
  });

  it('is refused for good when the address is no Web API', async () => {
    expect(await failureOf({ status: 404 })).toMatchObject({ code: 'slack_refused', retryable: false });
  });
});

it('logs neither token nor text of a failed call', async () => {
  await failureOf({ drop: true });

  expect(JSON.stringify(logger.lines)).not.toMatch(/xoxb|quarterly/);
  expect(logger.lines.every((line) => line.level === 'warn' || line.level === 'error')).toBe(true);
});
