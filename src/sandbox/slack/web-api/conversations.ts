import type { SandboxMessage } from '../history.ts';
import type { Json } from '../json.ts';
import { messageObject, withMetadata } from '../message-view.ts';
import { Refusal } from '../refusal.ts';
import type { ChannelSetup } from '../setup.ts';
import type { SandboxState } from '../state.ts';
import { booleanArg, page, requiredArg, stringArg } from './args.ts';
import type { ApiCall, ApiMethods } from './method.ts';

const HISTORY = ['channels:history', 'groups:history', 'im:history'];
const READ = ['channels:read', 'groups:read', 'im:read'];
const PAGE = { fallback: 100, max: 999 };

function inRange(messages: readonly SandboxMessage[], args: Json): SandboxMessage[] {
  const oldest = stringArg(args, 'oldest') ?? '0';
  const latest = stringArg(args, 'latest') ?? '9999999999.999999';
  const inclusive = booleanArg(args, 'inclusive') ?? false;
  return messages.filter(({ ts }) => {
    if (inclusive && (ts === oldest || ts === latest)) return true;
    return Number(ts) > Number(oldest) && Number(ts) < Number(latest);
  });
}

function answerPage(call: ApiCall, messages: readonly SandboxMessage[]): Json {
  const [shown, cursor] = page(messages, call.args, PAGE);
  const wanted = booleanArg(call.args, 'include_all_metadata') ?? false;
  return {
    messages: shown.map((message) =>
      withMetadata(messageObject(call.state, message), wanted ? message.metadata : null),
    ),
    has_more: cursor !== '',
    response_metadata: { next_cursor: cursor },
  };
}

/** A reply's ts gives that reply alone; the root comes first on every page in Slack, here on the first one. */
function replies(call: ApiCall): Json {
  const { args, state } = call;
  const channel = state.workspace.readable(requiredArg(args, 'channel', 'channel_not_found'));
  const found = state.history.find({ channel: channel.id, ts: requiredArg(args, 'ts', 'thread_not_found') });
  if (found === undefined) throw new Refusal('thread_not_found');
  if (found.threadTs !== null) return answerPage(call, [found]);
  const [root, ...rest] = state.history.inThread({ channel: channel.id, threadTs: found.ts });
  return answerPage(call, [...(root === undefined ? [] : [root]), ...inRange(rest, args)]);
}

function history(call: ApiCall): Json {
  const { args, state } = call;
  const channel = state.workspace.readable(requiredArg(args, 'channel', 'channel_not_found'));
  const roots = state.history
    .inChannel(channel.id)
    .filter((m) => m.threadTs === null || m.subtype === 'thread_broadcast');
  return answerPage(call, inRange(roots, args).reverse());
}

function channelObject(state: SandboxState, channel: ChannelSetup): Json {
  const isIm = channel.kind === 'im';
  const other = channel.members.find((member) => member !== state.setup.bot.userId);
  return {
    id: channel.id,
    ...(isIm ? { user: other } : { name: channel.name, name_normalized: channel.name }),
    is_channel: channel.kind === 'public',
    is_group: false,
    is_im: isIm,
    is_mpim: false,
    is_private: channel.kind !== 'public',
    is_archived: channel.archived === true,
    is_member: channel.members.includes(state.setup.bot.userId),
    is_shared: channel.shared === true,
    is_ext_shared: channel.shared === true,
    context_team_id: state.setup.team.id,
  };
}

function info(call: ApiCall): Json {
  const channel = call.state.workspace.channel(requiredArg(call.args, 'channel', 'channel_not_found'));
  const hidden = channel?.kind !== 'public' && !channel?.members.includes(call.state.setup.bot.userId);
  if (channel === undefined || hidden) throw new Refusal('channel_not_found');
  return { channel: channelObject(call.state, channel) };
}

function open(call: ApiCall): Json {
  const users = requiredArg(call.args, 'users').split(',');
  const [user] = users;
  if (user === undefined || users.length > 1) throw new Refusal('method_not_supported_for_channel_type');
  if (call.state.workspace.user(user) === undefined) throw new Refusal('user_not_found');
  const channel = call.state.workspace.openDm(user);
  return { channel: { id: channel.id } };
}

function members(call: ApiCall): Json {
  const channel = call.state.workspace.readable(requiredArg(call.args, 'channel', 'channel_not_found'));
  const [shown, cursor] = page(channel.members, call.args, PAGE);
  return { members: shown, response_metadata: { next_cursor: cursor } };
}

/** conversations.replies, .history, .info, .members, .open (a direct message with one user). */
export const CONVERSATION_METHODS: ApiMethods = {
  'conversations.replies': { scopes: HISTORY, tier: 3, answer: replies },
  'conversations.history': { scopes: HISTORY, tier: 3, answer: history },
  'conversations.info': { scopes: READ, tier: 3, answer: info },
  'conversations.members': { scopes: READ, tier: 4, answer: members },
  'conversations.open': { scopes: ['im:write'], tier: 3, answer: open },
};
