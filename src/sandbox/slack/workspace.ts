import type { IdSource } from './ids.ts';
import { Refusal } from './refusal.ts';
import type { ChannelSetup, Setup, UserSetup } from './setup.ts';

/** Who is who and where: users, conversations, groups. */
export type Workspace = {
  user(id: string): UserSetup | undefined;
  /** Someone of another workspace who shares no channel with the bot. */
  isStranger(user: UserSetup): boolean;
  /** Whether the user's home is another workspace, which no Enterprise organisation joins to this one. */
  isForeign(user: UserSetup): boolean;
  /** Changes a user, e.g. deactivates them or makes them a guest. */
  changeUser(id: string, change: Partial<Omit<UserSetup, 'id'>>): void;
  teamOf(userId: string): string;
  channel(id: string): ChannelSetup | undefined;
  /** The direct message conversation of the bot and a user, opened if need be. */
  openDm(userId: string): ChannelSetup;
  /** A conversation the bot may write in. Refuses with Slack's word for why not. */
  writable(id: string): ChannelSetup;
  /** A conversation the bot may read. */
  readable(id: string): ChannelSetup;
  /** Changes a conversation, e.g. archives it or removes a member. */
  change(id: string, change: Partial<Omit<ChannelSetup, 'id'>>): void;
  groupUsers(id: string): readonly string[] | undefined;
  /** Says who is in a user group from now on; one that is not there is made. */
  setUserGroup(id: string, users: readonly string[]): void;
};

/** Creates the workspace from its setup. */
export function createWorkspace(setup: Setup, ids: IdSource): Workspace {
  const bot: UserSetup = { id: setup.bot.userId, name: setup.bot.name, realName: setup.bot.name, bot: true };
  const users = new Map([bot, ...setup.users].map((user) => [user.id, user]));
  const groups = new Map(setup.userGroups.map((group) => [group.id, group.users]));
  const channels = new Map(setup.channels.map((channel) => [channel.id, channel]));

  const openDm = (userId: string) => {
    const open = [...channels.values()].find((c) => c.kind === 'im' && c.members.includes(userId));
    if (open !== undefined) return open;
    const dm: ChannelSetup = { id: ids.next('D'), name: '', kind: 'im', members: [setup.bot.userId, userId] };
    channels.set(dm.id, dm);
    return dm;
  };

  const readable = (id: string) => {
    const channel = channels.get(id);
    if (channel === undefined) throw new Refusal('channel_not_found');
    if (channel.members.includes(setup.bot.userId)) return channel;
    throw new Refusal(channel.kind === 'public' ? 'not_in_channel' : 'channel_not_found');
  };

  const isForeign = ({ teamId = setup.team.id, enterpriseTeams = [] }: UserSetup) =>
    teamId !== setup.team.id && !enterpriseTeams.includes(setup.team.id);

  const isStranger = (user: UserSetup) =>
    isForeign(user) &&
    ![...channels.values()].some(({ members }) => members.includes(setup.bot.userId) && members.includes(user.id));

  return {
    user: (id) => users.get(id),
    isForeign,
    isStranger,
    changeUser(id, change) {
      const user = users.get(id);
      if (user === undefined) throw new Error(`The sandbox has no user ${id}`);
      users.set(id, { ...user, ...change });
    },
    teamOf: (userId) => users.get(userId)?.teamId ?? setup.team.id,
    channel: (id) => channels.get(id),
    openDm,
    readable,
    writable(id) {
      const channel = readable(id);
      if (channel.archived === true) throw new Refusal('is_archived');
      return channel;
    },
    change(id, change) {
      const channel = channels.get(id);
      if (channel === undefined) throw new Error(`The sandbox has no channel ${id}`);
      channels.set(id, { ...channel, ...change });
    },
    groupUsers: (id) => groups.get(id),
    setUserGroup: (id, members) => void groups.set(id, members),
  };
}
