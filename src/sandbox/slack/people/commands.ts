import type { Courier } from '../delivery/courier.ts';
import type { DeliveryResult } from '../delivery/delivery.ts';
import type { Echo } from '../delivery/echo.ts';
import { isJson } from '../json.ts';
import { ImpossibleAction, Refusal } from '../refusal.ts';
import type { SandboxState } from '../state.ts';
import { postResponse } from '../web-api/response-url.ts';
import { channelName } from './actor.ts';

export type SlashCommand = { command?: string; text?: string; channel?: string; user?: string };

type CommandsInput = {
  state: SandboxState;
  courier: Courier;
  echo: Echo;
  defaults: { user: string; channel: string };
};

/**
 * Creates the people who type commands. Slack has none in threads, so there is no thread to name. What the app answers
 * in the body of its ack is posted, ephemeral unless it says otherwise.
 */
export function createSlashCommand(input: CommandsInput): (command: SlashCommand) => Promise<DeliveryResult> {
  const { state, courier, echo, defaults } = input;
  return async ({ command = '/steward', text = '', ...place }) => {
    const { user: userId, channel } = { ...defaults, ...place };
    const user = state.workspace.user(userId);
    if (user === undefined || !state.workspace.channel(channel)?.members.includes(userId)) {
      throw new ImpossibleAction(`${userId} is not in ${channel}`);
    }
    const origin = { channel, userId, messageTs: null, threadTs: null };
    const result = await courier.command({
      token: 'sandbox-verification-token',
      team_id: state.workspace.teamOf(userId),
      team_domain: state.setup.team.domain,
      channel_id: channel,
      channel_name: channelName(state, channel),
      user_id: userId,
      user_name: user.name,
      command,
      text,
      api_app_id: state.setup.appId,
      is_enterprise_install: 'false',
      response_url: `${state.baseUrl}${state.responseUrls.issue(origin)}`,
      trigger_id: state.triggers.issue({ userId, viewId: null }),
    });
    const body = typeof result.body === 'string' && result.body !== '' ? { text: result.body } : result.body;
    if (!result.acked || !isJson(body) || Object.keys(body).length === 0) return result;
    try {
      postResponse({ state, echo, origin, body });
      return result;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ...result, acked: false, body: { sandbox_error: error.code } };
    }
  };
}
