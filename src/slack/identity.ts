import type { WebClient } from '@slack/web-api';
import type { BotIdentity, Identity } from '../domain/ports/bot-identity.ts';
import { SlackError } from '../errors.ts';
import { callSlack } from './map-error.ts';

/**
 * Learns once who the bot is (`auth.test`), and keeps it. Callers at the same time share one request; a failure is not
 * kept: the next caller asks again.
 */
export function createIdentity(client: WebClient): BotIdentity {
  let known: Identity | null = null;
  let asking: Promise<Identity> | null = null;

  async function ask(): Promise<Identity> {
    try {
      known = await askIdentity(client);
      return known;
    } finally {
      asking = null;
    }
  }

  return {
    current: () => known,
    async resolve() {
      if (known !== null) return known;
      asking ??= ask();
      return asking;
    },
  };
}

async function askIdentity(client: WebClient): Promise<Identity> {
  const answer = await callSlack('auth.test', () => client.auth.test());
  if (!answer.team_id || !answer.user_id || !answer.bot_id) {
    throw new SlackError('SLACK_BOT_TOKEN is not the token of a bot (xoxb-…): auth.test names no bot.', {
      code: 'slack_refused',
      retryable: false,
    });
  }
  return { teamId: answer.team_id, botUserId: answer.user_id, botId: answer.bot_id };
}
