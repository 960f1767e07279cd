import { onTestFinished } from 'vitest';
import { createChat, type SlackChat } from '../../../src/slack/chat.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type FakeSlack, ok, startFakeSlack } from './fake-slack.ts';
import { createMemoryLogger } from './memory-logger.ts';

export const TOKEN = 'xoxb-1234567890-secret';

export type ChatSetup = {
  slack: FakeSlack;
  chat: SlackChat;
  clock: FakeClock;
  logger: ReturnType<typeof createMemoryLogger>;
  edits: string[];
};

/** The adapter on a fake Slack that knows the bot; closed when the test ends. */
export async function setupChat(pace = { editIntervalMs: 3_000, editsPerMinute: 45 }): Promise<ChatSetup> {
  const slack = await startFakeSlack();
  slack.on('auth.test', () => ok({ team_id: 'T1', user_id: 'UBOT', bot_id: 'BBOT' }));
  const clock = createFakeClock();
  const logger = createMemoryLogger();
  const edits: string[] = [];
  const chat = createChat({
    token: TOKEN,
    apiUrl: slack.apiUrl,
    ...pace,
    logger,
    telemetry: { statusEdit: (outcome) => edits.push(outcome) },
    now: clock.now,
    setTimer: clock.setTimer,
  });
  onTestFinished(async () => {
    await chat.close();
    await slack.close();
  });
  return { slack, chat, clock, logger, edits };
}

/** Answers `chat.postMessage` as Slack does: the message, in the thread that was asked for. */
export const posted = (args: Record<string, unknown>, ts = '1700000000.000200') =>
  ok({
    channel: args.channel,
    ts,
    message: { ts, ...(args.thread_ts === undefined ? {} : { thread_ts: args.thread_ts }) },
  });
