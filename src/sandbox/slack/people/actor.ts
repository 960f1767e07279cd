import type { Json } from '../json.ts';
import { ImpossibleAction } from '../refusal.ts';
import type { SandboxState } from '../state.ts';

/**
 * The fields that every interaction of a person carries. `team` is the person's own, which in a shared channel is not
 * the workspace's (slack.md 6.23).
 */
export function actorFields(state: SandboxState, userId: string): Json {
  const user = state.workspace.user(userId);
  if (user === undefined) throw new ImpossibleAction(`There is no user ${userId}`);
  const teamId = state.workspace.teamOf(userId);
  const domain = teamId === state.setup.team.id ? state.setup.team.domain : 'partner';
  return {
    user: { id: user.id, username: user.name, name: user.name, team_id: teamId },
    team: { id: teamId, domain },
    api_app_id: state.setup.appId,
    token: 'sandbox-verification-token',
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** `channel.name` of interactions and commands. */
export function channelName(state: SandboxState, channelId: string): string {
  const channel = state.workspace.channel(channelId);
  if (channel?.kind === 'im') return 'directmessage';
  return channel?.kind === 'private' ? 'privategroup' : (channel?.name ?? '');
}
