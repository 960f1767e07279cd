import type { App } from '@slack/bolt';
import type { ListenerDeps } from '../listener-deps.ts';
import { type MessageReading, readMessage } from '../read/read-message.ts';

/** Reads the body again, now knowing who the bot is if that was what it hung on. */
async function decideMessage(deps: ListenerDeps, body: unknown): Promise<MessageReading> {
  const reading = readMessage(body, deps.identity.current()?.botUserId ?? null);
  if (reading.kind !== 'undecided') return reading;
  return readMessage(body, (await deps.identity.resolve()).botUserId);
}

async function handleMessage(deps: ListenerDeps, body: unknown): Promise<void> {
  const reading = await decideMessage(deps, body);
  if (reading.kind === 'request') await deps.commands.receive(reading.request);
  if (reading.kind === 'deletion') {
    await deps.commands.requestDeleted({ channelId: reading.channelId, requestTs: reading.requestTs });
  }
}

/** Mentions, direct messages, thread replies and deletions. What they are is `readMessage`'s to say. */
export function listenToMessages(app: App, deps: ListenerDeps): void {
  app.event('app_mention', async ({ body }) => handleMessage(deps, body));
  app.event('message', async ({ body }) => handleMessage(deps, body));
}
