import type { UsersInfoResponse } from '@slack/web-api';
import type { Person } from '../../domain/ports/people.ts';

type SlackUser = NonNullable<UsersInfoResponse['user']>;

/** What `users.info` says of someone, as far as it matters who decides. */
export type Account = Pick<Person, 'teamId' | 'isActivePerson' | 'isGuest' | 'isExternal' | 'problem'>;

/** An account of which nothing could be found out: the least that anybody may be. */
export const NO_ACCOUNT: Account = {
  teamId: '',
  isActivePerson: false,
  isGuest: true,
  isExternal: true,
  problem: null,
};

/**
 * Reads a user as Slack describes one. `ourTeamId` is the workspace the app is installed in; someone of an Enterprise
 * organisation is of every workspace that `enterprise_user.teams` names.
 * Source: docs.slack.dev/reference/objects/user-object.
 */
export function readAccount(user: SlackUser, ourTeamId: string): Account {
  // Slack names a team on every user; a server that names none has only one, as it has no guests (see ask-slack.ts).
  const teamId = user.team_id ?? user.profile?.team ?? ourTeamId;
  const isOurs = teamId === ourTeamId || user.enterprise_user?.teams?.includes(ourTeamId) === true;
  const problem = problemOf(user);
  return {
    teamId,
    isActivePerson: problem === null,
    isGuest: Boolean(user.is_restricted || user.is_ultra_restricted),
    isExternal: Boolean(user.is_stranger) || !isOurs || problem !== null,
    problem,
  };
}

function problemOf(user: SlackUser): string | null {
  if (user.deleted) return 'Slack says that your account is deactivated.';
  if (user.is_bot) return 'Only people can decide this; Slack says that you are an app.';
  return null;
}
