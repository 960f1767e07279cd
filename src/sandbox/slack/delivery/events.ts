import type { SandboxMessage } from '../history.ts';
import type { Json } from '../json.ts';
import { messageObject } from '../message-view.ts';
import type { SandboxState } from '../state.ts';

/** The envelope of an event, as the Events API sends it (over HTTP and inside Socket Mode). */
export function eventEnvelope(state: SandboxState, event: Json): Json {
  const { setup } = state;
  const channelId = typeof event.channel === 'string' ? event.channel : '';
  const shared = state.workspace.channel(channelId)?.shared === true;
  const authorization = { enterprise_id: null, team_id: setup.team.id, user_id: setup.bot.userId };
  return {
    token: 'sandbox-verification-token',
    team_id: setup.team.id,
    context_team_id: setup.team.id,
    context_enterprise_id: null,
    api_app_id: setup.appId,
    event,
    type: 'event_callback',
    event_id: state.ids.next('Ev'),
    event_time: Math.floor(setup.now() / 1_000),
    authorizations: [{ ...authorization, is_bot: true, is_enterprise_install: false }],
    is_ext_shared_channel: shared,
    event_context: state.ids.secret(),
  };
}

/** `channel_type` of message events. */
export function channelType(state: SandboxState, channelId: string): 'im' | 'group' | 'channel' {
  const kind = state.workspace.channel(channelId)?.kind;
  if (kind === 'im') return 'im';
  return kind === 'private' ? 'group' : 'channel';
}

/** Users of another workspace are marked in events of shared channels. */
function teamFields(state: SandboxState, message: SandboxMessage): Json {
  if (message.teamId === state.setup.team.id) return {};
  return { user_team: message.teamId, source_team: message.teamId };
}

function eventBody(state: SandboxState, message: SandboxMessage): Json {
  const { reply_count, reply_users, reply_users_count, latest_reply, ...object } = messageObject(state, message);
  const { thread_ts: _own, ...rest } = object;
  const thread = message.threadTs === null ? {} : { thread_ts: message.threadTs };
  const event = { ...rest, ...thread, ...teamFields(state, message), channel: message.channel };
  if (message.subtype !== 'thread_broadcast') return event;
  const root = state.history.find({ channel: message.channel, ts: message.threadTs ?? '' });
  return root === undefined ? event : { ...event, root: messageObject(state, root) };
}

/** A `message` event. `edited` is left out: the edit has its own event. */
export function messageEvent(state: SandboxState, message: SandboxMessage): Json {
  const { edited: _edited, ...event } = eventBody(state, message);
  return { ...event, event_ts: message.ts, channel_type: channelType(state, message.channel) };
}

/** An `app_mention` event: the same message, with `edited` when it comes from an edit; never a subtype. */
export function mentionEvent(state: SandboxState, message: SandboxMessage): Json {
  const { subtype: _subtype, root: _root, ...event } = eventBody(state, message);
  return { ...event, type: 'app_mention', event_ts: message.edited?.ts ?? message.ts };
}

/** `message_changed`: for an edit, an unfurl, or the tombstone of a deleted root. */
export function changedEvent(state: SandboxState, after: SandboxMessage, before: SandboxMessage): Json {
  return {
    type: 'message',
    subtype: 'message_changed',
    message: { ...messageObject(state, after), source_team: after.teamId, user_team: after.teamId },
    previous_message: messageObject(state, before),
    channel: after.channel,
    hidden: true,
    ts: state.ids.nextTs(),
    event_ts: state.ids.nextTs(),
    channel_type: channelType(state, after.channel),
  };
}

/** `message_deleted`. */
export function deletedEvent(state: SandboxState, message: SandboxMessage): Json {
  return {
    type: 'message',
    subtype: 'message_deleted',
    previous_message: messageObject(state, message),
    channel: message.channel,
    hidden: true,
    deleted_ts: message.ts,
    ts: state.ids.nextTs(),
    event_ts: state.ids.nextTs(),
    channel_type: channelType(state, message.channel),
  };
}

/** What Slack sends when the root of a thread with replies is deleted: its text is replaced, the thread stays. */
export function tombstoneEvent(state: SandboxState, message: SandboxMessage): Json {
  const event = changedEvent(state, message, message);
  const thread = { thread_ts: message.ts, ts: message.ts, hidden: true };
  const text = 'This message was deleted.';
  return { ...event, message: { type: 'message', subtype: 'tombstone', user: 'USLACKBOT', text, ...thread } };
}
