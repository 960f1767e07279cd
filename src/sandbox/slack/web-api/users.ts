import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { UserSetup } from '../setup.ts';
import type { SandboxState } from '../state.ts';
import { requiredArg } from './args.ts';
import type { ApiMethods } from './method.ts';

/** What an Enterprise organisation says of its user. */
function enterpriseFields(user: UserSetup): Json {
  if (user.enterpriseTeams === undefined) return {};
  const { id, enterpriseTeams: teams } = user;
  return { enterprise_user: { id, enterprise_id: 'E0SANDBOX1', enterprise_name: 'Sandbox', teams } };
}

/** Users of other workspaces are shown with less; deactivated ones too. */
function userObject({ workspace, setup }: SandboxState, user: UserSetup): Json {
  const realName = user.realName ?? user.name;
  const teamId = user.teamId ?? setup.team.id;
  const deleted = user.deleted === true;
  const base = { id: user.id, team_id: teamId, name: user.name, deleted, is_bot: user.bot === true, updated: 0 };
  const profile = { real_name: realName, display_name: user.name, team: teamId };
  if (deleted) return { ...base, profile };
  if (workspace.isForeign(user)) return { ...base, is_stranger: workspace.isStranger(user), profile };
  return {
    ...base,
    ...enterpriseFields(user),
    real_name: realName,
    tz: 'Europe/Berlin',
    profile,
    is_admin: false,
    is_owner: false,
    is_restricted: user.guest !== undefined && user.guest !== false,
    is_ultra_restricted: user.guest === 'single_channel',
    is_app_user: false,
  };
}

/** users.info, usergroups.users.list. */
export const USER_METHODS: ApiMethods = {
  'users.info': {
    scopes: ['users:read'],
    tier: 4,
    answer({ args, state }) {
      const user = state.workspace.user(requiredArg(args, 'user', 'user_not_found'));
      if (user === undefined) throw new Refusal('user_not_found');
      return { user: userObject(state, user) };
    },
  },
  'usergroups.users.list': {
    scopes: ['usergroups:read'],
    tier: 2,
    answer({ args, state }) {
      const users = state.workspace.groupUsers(requiredArg(args, 'usergroup', 'no_such_subteam'));
      if (users === undefined) throw new Refusal('no_such_subteam');
      return { users };
    },
  },
};
