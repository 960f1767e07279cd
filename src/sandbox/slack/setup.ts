import type { FileSetup } from './files.ts';

/** Someone of the sandbox workspace, or of a partner's. */
export type UserSetup = {
  id: string;
  name: string;
  realName?: string;
  /** Home team; another team than the workspace's makes a Slack Connect user, a stranger where no channel is shared. */
  teamId?: string;
  /** `single_channel` is the guest of one channel (`is_ultra_restricted`). */
  guest?: boolean | 'single_channel';
  bot?: boolean;
  /** Deactivated. */
  deleted?: boolean;
  /** Workspaces of an Enterprise organisation that the user is in; with the workspace's own, the user is no foreigner. */
  enterpriseTeams?: readonly string[];
};

/** A conversation. `members` are user ids; the bot posts only where it is a member. */
export type ChannelSetup = {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'im';
  members: readonly string[];
  /** Shared with another workspace (Slack Connect). */
  shared?: boolean;
  archived?: boolean;
};

/** A user group, for `usergroups.users.list`. */
export type UserGroupSetup = { id: string; handle: string; users: readonly string[] };

/** Everything that can be set when the sandbox starts. Each field has a default that makes a test a one-liner. */
export type SandboxSlackOptions = {
  /** Port of the whole server; 0 (default) takes a free one. */
  port?: number;
  /** Where events, commands and interactions are posted; null (default) means Socket Mode. Can be set later. */
  eventsUrl?: string | null;
  team?: { id: string; domain: string };
  appId?: string;
  bot?: { userId: string; botId: string; name: string };
  botToken?: string;
  appToken?: string;
  signingSecret?: string;
  scopes?: readonly string[];
  users?: readonly UserSetup[];
  channels?: readonly ChannelSetup[];
  userGroups?: readonly UserGroupSetup[];
  /** Files that exist from the start; `slack.addFile` adds more. */
  files?: readonly FileSetup[];
  /** A workspace that does not know `plan` and `task_card` blocks: they are `invalid_blocks`. Default false. */
  rejectPlanBlocks?: boolean;
  /** Hosts whose images Slack cannot download: a message with one is `invalid_blocks`. Default none. */
  brokenImageHosts?: readonly string[];
  /** Slack's real rate limits (slack.md 3.2). Default false: only scripted limits. */
  rateLimits?: boolean;
  /** Whether the bot's own posts, edits and deletions come back to it as events, as on Slack. Default true. */
  echoBotMessages?: boolean;
  /** How long an ack may take. Default 3,000, as on Slack. */
  ackTimeoutMs?: number;
  /** Pauses before the three retries of an event. Default 50, 200, 1,000; Slack's are 0, 60,000, 300,000. */
  retryDelaysMs?: readonly number[];
  /** Lifetime of a trigger id. Default 3,000. */
  triggerTtlMs?: number;
  /** The clock behind timestamps, triggers, response URLs and rate limits, in epoch milliseconds. */
  now?: () => number;
};

export type Setup = Required<SandboxSlackOptions>;

/** Ids, tokens and secrets of the default workspace. */
export const SANDBOX = {
  teamId: 'T0SANDBOX1',
  partnerTeamId: 'T0PARTNER1',
  appId: 'A0STEWARD1',
  botUserId: 'U0STEWARD1',
  botId: 'B0STEWARD1',
  botToken: 'xoxb-sandbox-bot',
  appToken: 'xapp-1-sandbox-app',
  signingSecret: 'sandbox-signing-secret',
  users: {
    alice: 'U0ALICE001',
    bob: 'U0BOB00001',
    /** A guest. */
    carol: 'U0CAROL001',
    /** From the partner's workspace. */
    dave: 'U0DAVE0001',
    /** Another app's bot user. */
    otherBot: 'U0OTHERBOT',
  },
  channels: {
    general: 'C0GENERAL1',
    random: 'C0RANDOM01',
    private: 'C0PRIVATE1',
    /** Shared with the partner. */
    shared: 'C0SHARED01',
    archived: 'C0ARCHIVE1',
    /** Public, without the bot. */
    elsewhere: 'C0ELSEWHER',
  },
  userGroups: { finance: 'S0FINANCE1' },
} as const;

const DEFAULT_SCOPES = [
  'app_mentions:read',
  'channels:history',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'mpim:history',
  'mpim:read',
  'usergroups:read',
  'users:read',
];

function defaultUsers(): UserSetup[] {
  const { alice, bob, carol, dave, otherBot } = SANDBOX.users;
  return [
    { id: alice, name: 'alice', realName: 'Alice Archer' },
    { id: bob, name: 'bob', realName: 'Bob Baker' },
    { id: carol, name: 'carol', realName: 'Carol Cole', guest: true },
    { id: dave, name: 'dave', realName: 'Dave Dunn', teamId: SANDBOX.partnerTeamId },
    { id: otherBot, name: 'otherbot', realName: 'Other Bot', bot: true },
  ];
}

function defaultChannels(): ChannelSetup[] {
  const { alice, bob, carol, dave, otherBot } = SANDBOX.users;
  const { general, random, private: hidden, shared, archived, elsewhere } = SANDBOX.channels;
  const bot = SANDBOX.botUserId;
  return [
    { id: general, name: 'general', kind: 'public', members: [bot, alice, bob, carol, otherBot] },
    { id: random, name: 'random', kind: 'public', members: [bot, alice, bob] },
    { id: hidden, name: 'private', kind: 'private', members: [bot, alice, bob] },
    { id: shared, name: 'shared', kind: 'public', shared: true, members: [bot, alice, bob, dave] },
    { id: archived, name: 'archived', kind: 'public', archived: true, members: [bot, alice] },
    { id: elsewhere, name: 'elsewhere', kind: 'public', members: [alice, bob] },
  ];
}

/** The options with every default filled in. */
export function resolveSetup(options: SandboxSlackOptions): Setup {
  return {
    port: 0,
    eventsUrl: null,
    team: { id: SANDBOX.teamId, domain: 'sandbox' },
    appId: SANDBOX.appId,
    bot: { userId: SANDBOX.botUserId, botId: SANDBOX.botId, name: 'steward' },
    botToken: SANDBOX.botToken,
    appToken: SANDBOX.appToken,
    signingSecret: SANDBOX.signingSecret,
    scopes: DEFAULT_SCOPES,
    users: defaultUsers(),
    channels: defaultChannels(),
    userGroups: [{ id: SANDBOX.userGroups.finance, handle: 'finance', users: [SANDBOX.users.bob] }],
    files: [],
    rejectPlanBlocks: false,
    brokenImageHosts: [],
    rateLimits: false,
    echoBotMessages: true,
    ackTimeoutMs: 3_000,
    retryDelaysMs: [50, 200, 1_000],
    triggerTtlMs: 3_000,
    now: Date.now,
    ...options,
  };
}
