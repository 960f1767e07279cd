import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { UserSetup } from '../setup.ts';
import { requiredArg } from './args.ts';
import type { ApiMethods } from './method.ts';

/** Users of other workspaces are shown with less, and as strangers. */
function userObject(user: UserSetup, teamId: string): Json {
  const realName = user.realName ?? user.name;
  const foreign = user.teamId !== undefined && user.teamId !== teamId;
  const base = { id: user.id, team_id: user.teamId ?? teamId, name: user.name, is_bot: user.bot === true };
  if (foreign) return { ...base, is_stranger: true, profile: { real_name: realName, team: user.teamId } };
  return {
    ...base,
    deleted: false,
    real_name: realName,
    tz: 'Europe/Berlin',
    profile: { real_name: realName, display_name: user.name, team: teamId },
    is_admin: false,
    is_owner: false,
    is_restricted: user.guest === true,
    is_ultra_restricted: false,
    is_app_user: false,
    updated: 0,
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
      return { user: userObject(user, state.setup.team.id) };
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
