export const TEAM = 'T1';
export const BOT = 'UBOT';

type Json = Record<string, unknown>;

/** An Events API body as Slack sends it; `envelope` overrides what stands around the event. */
export function eventBody(event: Json, envelope: Json = {}): Json {
  return {
    type: 'event_callback',
    team_id: TEAM,
    api_app_id: 'A1',
    event_id: 'Ev1',
    event_time: 1_700_000_000,
    authorizations: [{ enterprise_id: null, team_id: TEAM, user_id: BOT, is_bot: true, is_enterprise_install: false }],
    event,
    ...envelope,
  };
}

export function mentionEvent(changes: Json = {}): Json {
  return {
    type: 'app_mention',
    user: 'U1',
    text: `<@${BOT}> plan the launch`,
    ts: '1700000000.000100',
    channel: 'C1',
    event_ts: '1700000000.000100',
    ...changes,
  };
}

export function messageEvent(changes: Json = {}): Json {
  return { ...mentionEvent(), type: 'message', channel_type: 'channel', ...changes };
}

export function directEvent(changes: Json = {}): Json {
  return messageEvent({ channel: 'D1', channel_type: 'im', text: 'plan the launch', ...changes });
}

export function commandBody(changes: Record<string, string> = {}): Record<string, string> {
  return {
    command: '/steward',
    text: 'plan the launch',
    team_id: TEAM,
    channel_id: 'C1',
    user_id: 'U1',
    trigger_id: '1.2.abc',
    api_app_id: 'A1',
    is_enterprise_install: 'false',
    response_url: 'http://127.0.0.1:9/none',
    ...changes,
  };
}

/** A `block_actions` body: `action` was used in a message of a thread. */
export function clickBody(action: Json, changes: Json = {}): Json {
  return {
    type: 'block_actions',
    user: { id: 'U1', team_id: TEAM },
    team: { id: TEAM },
    api_app_id: 'A1',
    trigger_id: '3.4.def',
    container: {
      type: 'message',
      message_ts: '1700000000.000200',
      channel_id: 'C1',
      is_ephemeral: false,
      thread_ts: '1700000000.000100',
    },
    channel: { id: 'C1', name: 'general' },
    message: { type: 'message', ts: '1700000000.000200', thread_ts: '1700000000.000100' },
    actions: [{ type: 'button', block_id: 'b1', action_ts: '1700000001.0', ...action }],
    ...changes,
  };
}
