import { randomUUID } from 'node:crypto';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { BENCH_CHANNEL } from '../stage/stage.ts';

/** The body of one event about a message that mentions the bot, as Slack's Events API sends it. */
export function eventBody(type: 'app_mention' | 'message', ts: string): string {
  const { teamId, appId, botUserId, users } = SANDBOX;
  const event = {
    type,
    user: users.alice,
    text: `<@${botUserId}> what is two and two?`,
    ts,
    event_ts: ts,
    channel: BENCH_CHANNEL,
    team: teamId,
    client_msg_id: randomUUID(),
    ...(type === 'message' ? { channel_type: 'channel' } : {}),
  };
  return JSON.stringify({
    token: 'verification-token',
    team_id: teamId,
    api_app_id: appId,
    event,
    type: 'event_callback',
    event_id: `Ev${randomUUID()}`,
    event_time: Math.floor(Number(ts)),
    authorizations: [{ enterprise_id: null, team_id: teamId, user_id: botUserId, is_bot: true }],
    is_ext_shared_channel: false,
    event_context: randomUUID(),
  });
}
