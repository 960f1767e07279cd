import type { WebClient } from '@slack/web-api';
import { SlackError } from '../errors.ts';
import { callSlack } from './map-error.ts';

/** Who the bot is in its workspace. `botUserId` is what people mention; `botId` marks its messages. */
export type BotIdentity = { teamId: string; botUserId: string; botId: string };

/** Asks Slack once and remembers the answer; a failure is not remembered. */
export function createIdentity(client: WebClient): () => Promise<BotIdentity> {
  let known: Promise<BotIdentity> | null = null;

  return () => {
    known ??= askIdentity(client).catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
}

async function askIdentity(client: WebClient): Promise<BotIdentity> {
  const answer = await callSlack('auth.test', () => client.auth.test());
  if (!answer.team_id || !answer.user_id || !answer.bot_id) {
    throw new SlackError('SLACK_BOT_TOKEN is not the token of a bot (xoxb-…): auth.test names no bot.', {
      code: 'slack_refused',
      retryable: false,
    });
  }
  return { teamId: answer.team_id, botUserId: answer.user_id, botId: answer.bot_id };
}
