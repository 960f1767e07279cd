import { Refusal } from '../refusal.ts';
import { requiredArg } from './args.ts';
import type { ApiMethods } from './method.ts';

/** auth.test, apps.connections.open, bots.info. */
export const AUTH_METHODS: ApiMethods = {
  'auth.test': {
    scopes: null,
    tier: 'unlimited',
    answer({ state: { setup, baseUrl } }) {
      const { team, bot } = setup;
      const names = { url: `${baseUrl}/`, team: team.domain, user: bot.name };
      return { ...names, team_id: team.id, user_id: bot.userId, bot_id: bot.botId, is_enterprise_install: false };
    },
  },
  'apps.connections.open': {
    scopes: null,
    tier: 'unlimited',
    appToken: true,
    answer: ({ socketUrl }) => ({ url: socketUrl() }),
  },
  'bots.info': {
    scopes: ['users:read'],
    tier: 3,
    answer({ args, state: { setup } }) {
      if (requiredArg(args, 'bot') !== setup.bot.botId) throw new Refusal('bot_not_found');
      const { botId, userId, name } = setup.bot;
      return { bot: { id: botId, deleted: false, name, app_id: setup.appId, user_id: userId } };
    },
  },
};
