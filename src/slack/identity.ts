import type { WebClient } from '@slack/web-api';
import type { BotIdentity, Identity } from '../domain/ports/bot-identity.ts';
import { SlackError } from '../errors.ts';
import { callSlack } from './map-error.ts';

/** Who the bot token belongs to, and what it may do: `scopes` is null as long as Slack has not said. */
export type TokenIdentity = BotIdentity & { scopes(): readonly string[] | null };

/**
 * Learns once who the bot is (`auth.test`), and keeps it. Callers at the same time share one request; a failure is not
 * kept: the next caller asks again.
 */
export function createIdentity(client: WebClient): TokenIdentity {
  let known: { who: Identity; scopes: readonly string[] | null } | null = null;
  let asking: Promise<Identity> | null = null;

  async function ask(): Promise<Identity> {
    try {
      known = await askIdentity(client);
      return known.who;
    } finally {
      asking = null;
    }
  }

  return {
    current: () => known?.who ?? null,
    scopes: () => known?.scopes ?? null,
    async resolve() {
      if (known !== null) return known.who;
      asking ??= ask();
      return asking;
    },
  };
}

async function askIdentity(client: WebClient): Promise<{ who: Identity; scopes: readonly string[] | null }> {
  const answer = await callSlack('auth.test', () => client.auth.test());
  if (!answer.team_id || !answer.user_id || !answer.bot_id) {
    throw new SlackError('SLACK_BOT_TOKEN is not the token of a bot (xoxb-…): auth.test names no bot.', {
      code: 'slack_refused',
      retryable: false,
    });
  }
  const who = { teamId: answer.team_id, botUserId: answer.user_id, botId: answer.bot_id };
  return { who, scopes: answer.response_metadata?.scopes ?? null };
}
