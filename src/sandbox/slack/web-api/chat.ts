import type { MessageEdit, NewMessage, SandboxMessage } from '../history.ts';
import type { Json } from '../json.ts';
import { messageObject, withMetadata } from '../message-view.ts';
import { Refusal } from '../refusal.ts';
import type { ChannelSetup } from '../setup.ts';
import type { SandboxState } from '../state.ts';
import { booleanArg, metadataArg, requiredArg, stringArg } from './args.ts';
import { type Content, isEmpty, readContent } from './content.ts';
import type { ApiCall, ApiMethods } from './method.ts';

const MAX_TEXT_CHARACTERS = 40_000;
const MAX_EDIT_TEXT_CHARACTERS = 4_000;
const WRITE = ['chat:write'];

/** A conversation to post in; a user's id stands for the direct message with them (chat.postMessage only). */
function postChannel(state: SandboxState, id: string): ChannelSetup {
  if (state.workspace.user(id) !== undefined) return state.workspace.openDm(id);
  return state.workspace.writable(id);
}

/**
 * The root that a post goes under. A reply's ts is refused; a root that is gone silently puts the message into the
 * channel (slack.md 6.17).
 */
export function resolveThread(state: SandboxState, at: { channel: string; threadTs: string | null }): string | null {
  if (at.threadTs === null) return null;
  if (!/^\d+\.\d{6}$/.test(at.threadTs)) throw new Refusal('invalid_thread_ts');
  const root = state.history.find({ channel: at.channel, ts: at.threadTs });
  if (root === undefined) return null;
  if (root.threadTs !== null) throw new Refusal('cannot_reply_to_message');
  return root.ts;
}

/** The parts of a new message that are the bot's. */
export function botAuthor(state: SandboxState): Pick<NewMessage, 'userId' | 'teamId'> & { botId: string } {
  const { bot, team } = state.setup;
  return { userId: bot.userId, botId: bot.botId, teamId: team.id };
}

function shown(content: Content): Pick<NewMessage, 'text' | 'blocks' | 'attachments'> {
  const text = (content.text ?? '').slice(0, MAX_TEXT_CHARACTERS);
  return { text, blocks: content.blocks ?? [], attachments: content.attachments ?? [] };
}

function newBotMessage(call: ApiCall, channel: string): NewMessage {
  const { args, state } = call;
  const content = readContent(args, state);
  if (isEmpty(content)) throw new Refusal('no_text');
  const threadTs = resolveThread(state, { channel, threadTs: stringArg(args, 'thread_ts') });
  return {
    ...shown(content),
    ...botAuthor(state),
    channel,
    ts: state.ids.nextTs(),
    threadTs,
    subtype: threadTs !== null && booleanArg(args, 'reply_broadcast') === true ? 'thread_broadcast' : null,
    metadata: metadataArg(args) ?? null,
    parse: stringArg(args, 'parse') ?? 'none',
    linkNames: booleanArg(args, 'link_names') ?? false,
    unfurlLinks: booleanArg(args, 'unfurl_links'),
    unfurlMedia: booleanArg(args, 'unfurl_media'),
  };
}

function answerWith(state: SandboxState, message: SandboxMessage): Json {
  const object = withMetadata(messageObject(state, message), message.metadata);
  return { channel: message.channel, ts: message.ts, text: message.text, message: object };
}

function postMessage(call: ApiCall): Json {
  const channel = postChannel(call.state, requiredArg(call.args, 'channel', 'channel_not_found'));
  const message = call.state.history.add(newBotMessage(call, channel.id));
  call.echo.posted(message);
  return answerWith(call.state, message);
}

function postEphemeral(call: ApiCall): Json {
  const { args, state } = call;
  const channel = state.workspace.writable(requiredArg(args, 'channel', 'channel_not_found'));
  const user = requiredArg(args, 'user');
  if (!channel.members.includes(user)) throw new Refusal('user_not_in_channel');
  const message = state.history.add({ ...newBotMessage(call, channel.id), ephemeralFor: user });
  return { message_ts: message.ts };
}

/** The bot's own message that a call names, or the refusal. */
function ownMessage(call: ApiCall, error: string): SandboxMessage {
  const { args, state } = call;
  const channel = state.workspace.readable(requiredArg(args, 'channel', 'channel_not_found'));
  if (channel.archived === true) throw new Refusal('is_inactive');
  const message = state.history.find({ channel: channel.id, ts: requiredArg(args, 'ts', 'message_not_found') });
  if (message === undefined) throw new Refusal('message_not_found');
  if (message.userId !== state.setup.bot.userId) throw new Refusal(error);
  return message;
}

/** Text without blocks removes the blocks; blocks without text keep the text; metadata stays unless named. */
function readEdit(call: ApiCall): MessageEdit {
  const { args, state } = call;
  const content = readContent(args, state);
  const nothing = content.text === undefined && content.blocks === undefined && content.attachments === undefined;
  if (nothing || (content.text === '' && isEmpty(content))) throw new Refusal('no_text');
  if (content.text !== undefined && content.text.length > MAX_EDIT_TEXT_CHARACTERS) throw new Refusal('msg_too_long');
  const metadata = metadataArg(args);
  return {
    ...(content.text === undefined ? {} : { text: content.text, blocks: [] }),
    ...(content.blocks === undefined ? {} : { blocks: content.blocks }),
    ...(metadata === undefined ? {} : { metadata }),
    parse: stringArg(args, 'parse') ?? 'client',
    linkNames: booleanArg(args, 'link_names') ?? false,
    edited: { user: state.setup.bot.userId, ts: state.ids.nextTs() },
  };
}

function update(call: ApiCall): Json {
  const before = ownMessage(call, 'cant_update_message');
  const after = call.state.history.edit(before, readEdit(call));
  call.echo.changed(after, before);
  return answerWith(call.state, after);
}

function remove(call: ApiCall): Json {
  const message = ownMessage(call, 'cant_delete_message');
  call.state.history.remove(message);
  call.echo.deleted(message);
  return { channel: message.channel, ts: message.ts };
}

/** chat.postMessage, chat.update, chat.postEphemeral, chat.delete (slack.md 3.3, 3.4). */
export const CHAT_METHODS: ApiMethods = {
  'chat.postMessage': { scopes: WRITE, tier: 'post', answer: postMessage },
  'chat.postEphemeral': { scopes: WRITE, tier: 4, answer: postEphemeral },
  'chat.update': { scopes: WRITE, tier: 3, answer: update },
  'chat.delete': { scopes: WRITE, tier: 3, answer: remove },
};
