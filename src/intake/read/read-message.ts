import type { IncomingRequest } from '../../domain/ports/run-commands.ts';
import { type Fields, fieldsAt, isTrueAt, textAt } from './fields.ts';
import { mentions, mentionsSomebody, readText } from './message-text.ts';
import { readFiles } from './read-files.ts';

/**
 * What a message event is to Steward (contract C1, C2, C6).
 *
 * - `request`: `deliveryKey` names this wording of the message. An edit may add what was missing (the mention, the
 *   words), so it is looked at again; `requestKey` stays the message's, so that it becomes one run.
 * - `undecided`: a channel message that mentions somebody, while the bot's own id is not known: look again later.
 * - `ignored`: nothing of ours.
 */
export type MessageReading =
  | { kind: 'request'; request: IncomingRequest; deliveryKey: string }
  | { kind: 'deletion'; deletionKey: string; channelId: string; requestTs: string }
  | { kind: 'undecided'; undecidedKey: string }
  | { kind: 'ignored' };

type Message = {
  event: Fields;
  teamId: string;
  channelId: string;
  ts: string;
  actorId: string;
  text: string;
  isReply: boolean;
  threadTs: string;
  botUserId: string | null;
};

const IGNORED: MessageReading = { kind: 'ignored' };
/** Subtypes that are a person speaking; every other one is Slack or a program speaking (contract C6). */
const SPOKEN_SUBTYPES: ReadonlySet<string | null> = new Set([null, 'file_share', 'thread_broadcast']);
const SYSTEM_USERS: ReadonlySet<string> = new Set(['USLACKBOT', 'USLACK']);

/** The workspace the app is installed in; null in an event that names none. Org installs have the enterprise only. */
function readTeamId(body: unknown): string | null {
  return (
    textAt(body, 'authorizations', 0, 'team_id') ??
    textAt(body, 'team_id') ??
    textAt(body, 'authorizations', 0, 'enterprise_id') ??
    textAt(body, 'enterprise_id')
  );
}

function readBotUserId(body: unknown): string | null {
  return isTrueAt(body, 'authorizations', 0, 'is_bot') ? textAt(body, 'authorizations', 0, 'user_id') : null;
}

/** The ts of the message that an event says was deleted. A thread's first message leaves a tombstone in its place. */
function readDeletedTs(event: Fields): string | null {
  if (textAt(event, 'subtype') === 'message_deleted') return textAt(event, 'deleted_ts');
  const left = textAt(event, 'subtype') === 'message_changed' ? textAt(event, 'message', 'subtype') : null;
  return left === 'tombstone' ? textAt(event, 'message', 'ts') : null;
}

function isSpokenByPerson(event: Fields, botUserId: string | null): boolean {
  const user = textAt(event, 'user');
  if (user === null || user === botUserId || SYSTEM_USERS.has(user)) return false;
  if (textAt(event, 'bot_id') !== null || fieldsAt(event, 'bot_profile') !== null) return false;
  return SPOKEN_SUBTYPES.has(textAt(event, 'subtype'));
}

/** `app_home` is what Slack called the Messages tab's channel type before `im`. */
function isDirect(event: Fields, channelId: string): boolean {
  const type = textAt(event, 'channel_type');
  return type === null ? channelId.startsWith('D') : type === 'im' || type === 'app_home';
}

function requestOf(message: Message, source: IncomingRequest['source']): MessageReading {
  const requestKey = `msg:${message.teamId}:${message.channelId}:${message.ts}`;
  const editedTs = textAt(message.event, 'edited', 'ts');
  return {
    kind: 'request',
    deliveryKey: editedTs === null ? requestKey : `${requestKey}:${editedTs}`,
    request: {
      requestKey,
      thread: { teamId: message.teamId, channelId: message.channelId, threadTs: message.threadTs },
      isReply: message.isReply,
      actorId: message.actorId,
      requestTs: message.ts,
      source,
      text: readText(message.text, message.botUserId),
      files: readFiles(message.event),
    },
  };
}

/** A message in a channel: the bot's when it is mentioned, perhaps when it is a reply, otherwise people talking. */
function readChannelMessage(message: Message): MessageReading {
  if (message.botUserId === null && mentionsSomebody(message.text)) {
    // Its own key: if this turns out not to be for the bot, an `app_mention` of the same message must still count.
    return { kind: 'undecided', undecidedKey: `maybe:${message.teamId}:${message.channelId}:${message.ts}` };
  }
  if (message.botUserId !== null && mentions(message.text, message.botUserId)) return requestOf(message, 'mention');
  return message.isReply ? requestOf(message, 'reply') : IGNORED;
}

/**
 * Reads an Events API body.
 *
 * `app_mention` and `message` of one message read the same, with the same key, whichever comes first (contract C5).
 * `knownBotUserId` is used where the body does not say who the bot is.
 */
export function readMessage(body: unknown, knownBotUserId: string | null): MessageReading {
  const event = fieldsAt(body, 'event');
  const type = textAt(event, 'type');
  const channelId = textAt(event, 'channel');
  const teamId = readTeamId(body);
  if (event === null || channelId === null || teamId === null) return IGNORED;
  if (type !== 'message' && type !== 'app_mention') return IGNORED;

  const deletedTs = readDeletedTs(event);
  if (deletedTs !== null) {
    return {
      kind: 'deletion',
      deletionKey: `del:${teamId}:${channelId}:${deletedTs}`,
      channelId,
      requestTs: deletedTs,
    };
  }
  const botUserId = readBotUserId(body) ?? knownBotUserId;
  const ts = textAt(event, 'ts');
  const actorId = textAt(event, 'user');
  if (ts === null || actorId === null || !isSpokenByPerson(event, botUserId)) return IGNORED;

  const threadTs = textAt(event, 'thread_ts') ?? ts;
  const text = textAt(event, 'text') ?? '';
  const message = { event, teamId, channelId, ts, actorId, text, isReply: threadTs !== ts, threadTs, botUserId };
  if (isDirect(event, channelId)) return requestOf(message, 'direct_message');
  return type === 'app_mention' ? requestOf(message, 'mention') : readChannelMessage(message);
}

/**
 * The thread that an event is about, as one word; null for what has none. A reply counts only if its thread is known,
 * so what a thread brings is worked on in the order it came.
 */
export function readLane(body: unknown): string | null {
  const event = fieldsAt(body, 'event');
  const channelId = textAt(event, 'channel');
  const message = fieldsAt(event, 'previous_message') ?? event;
  const threadTs = textAt(message, 'thread_ts') ?? textAt(event, 'deleted_ts') ?? textAt(message, 'ts');
  return channelId === null || threadTs === null ? null : `${channelId}/${threadTs}`;
}
