import { fileObject } from './files.ts';
import type { MessageMetadata, SandboxMessage } from './history.ts';
import { copyJson, type Json } from './json.ts';
import type { SandboxState } from './state.ts';

/** A markdown block is translated by Slack when it is read back; its block id is not kept (slack.md 1.3). */
function readBack(block: Json): Json {
  if (block.type !== 'markdown') return block;
  const elements = [{ type: 'rich_text_section', elements: [{ type: 'text', text: block.text }] }];
  return { type: 'rich_text', block_id: 'tr', elements };
}

function threadFields(state: SandboxState, message: SandboxMessage): Json {
  if (message.threadTs !== null) return { thread_ts: message.threadTs };
  const replies = state.history.inThread({ channel: message.channel, threadTs: message.ts }).slice(1);
  if (replies.length === 0) return {};
  const users = [...new Set(replies.map((reply) => reply.userId))];
  const latest = replies.at(-1)?.ts;
  const counts = { reply_count: replies.length, reply_users_count: users.length, reply_users: users };
  return { thread_ts: message.ts, ...counts, latest_reply: latest };
}

function botFields(state: SandboxState, message: SandboxMessage): Json {
  if (message.botId === null) return {};
  const { appId, team } = state.setup;
  const name = state.workspace.user(message.userId)?.name ?? '';
  const own = message.botId === state.setup.bot.botId;
  const profile = { id: message.botId, name, app_id: own ? appId : 'A0OTHERAPP', team_id: team.id, deleted: false };
  return { bot_id: message.botId, app_id: profile.app_id, bot_profile: profile };
}

function optional(message: SandboxMessage): Json {
  return {
    ...(message.subtype === null ? {} : { subtype: message.subtype }),
    ...(message.clientMsgId === null ? {} : { client_msg_id: message.clientMsgId }),
    ...(message.blocks.length === 0 ? {} : { blocks: copyJson(message.blocks.map(readBack)) }),
    ...(message.attachments.length === 0 ? {} : { attachments: copyJson(message.attachments) }),
    ...(message.edited === null ? {} : { edited: message.edited }),
  };
}

/** A message in Slack's JSON, as the Web API and `previous_message` show it: no channel. */
export function messageObject(state: SandboxState, message: SandboxMessage): Json {
  const view = { baseUrl: state.baseUrl, teamId: state.setup.team.id };
  const isShared = state.workspace.channel(message.channel)?.shared === true;
  const files = message.files.map((file) => fileObject(file, { ...view, partial: isShared }));
  return {
    type: 'message',
    user: message.userId,
    ts: message.ts,
    text: message.text,
    team: message.teamId,
    ...botFields(state, message),
    ...optional(message),
    ...(files.length === 0 ? {} : { files, upload: false }),
    ...threadFields(state, message),
  };
}

/** The metadata of a message when it was asked for. */
export function withMetadata(object: Json, metadata: MessageMetadata | null): Json {
  return metadata === null ? object : { ...object, metadata: copyJson(metadata) };
}
