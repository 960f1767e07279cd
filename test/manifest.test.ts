import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { SCOPES } from '../src/slack/check-access.ts';

const ROOT = resolve(import.meta.dirname, '..');

const manifest = z
  .object({
    features: z.object({ slash_commands: z.array(z.object({ command: z.string() })) }),
    oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
    settings: z.object({ event_subscriptions: z.object({ bot_events: z.array(z.string()) }) }),
  })
  .parse(parse(readFileSync(join(ROOT, 'manifest.yml'), 'utf8')));

/** The scopes that Slack's method pages ask for, for every method that the product calls. */
const METHOD_SCOPES: Record<string, string[]> = {
  'auth.test': [],
  'chat.postMessage': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.update': ['chat:write'],
  'chat.delete': ['chat:write'],
  // Never asked for in direct messages, which have no im:read therefore.
  'conversations.members': ['channels:read', 'groups:read', 'mpim:read'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  'files.info': ['files:read'],
  filesUploadV2: ['files:write'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'views.open': [],
  'views.update': [],
};

/** What each subscription needs to be delivered, and files in messages to be downloaded. */
const EVENT_SCOPES: Record<string, string[]> = {
  app_mention: ['app_mentions:read'],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  'message.mpim': ['mpim:history'],
};

const OTHER_SCOPES = ['commands', 'files:read'];

function productSource(): string {
  return ['slack', 'intake']
    .flatMap((folder) =>
      readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => readFileSync(join(ROOT, 'src', folder, name), 'utf8')),
    )
    .join('\n');
}

/** Web API methods called on a client: `posts.chat.postMessage(`, `client.filesUploadV2(`. */
function methodsCalled(source: string): Set<string> {
  const families = 'auth|chat|conversations|files|views|users|usergroups|reactions|bots|team';
  const calls = [...source.matchAll(new RegExp(`\\.(${families})\\.([a-zA-Z.]+)\\(`, 'g'))].map(
    (match) => `${match[1]}.${match[2]}`,
  );
  return new Set([...calls, ...(source.includes('.filesUploadV2(') ? ['filesUploadV2'] : [])]);
}

describe('manifest.yml', () => {
  const called = methodsCalled(productSource());

  it('is checked against every Slack method that the code calls', () => {
    expect([...called].filter((method) => !(method in METHOD_SCOPES))).toEqual([]);
    expect(Object.keys(METHOD_SCOPES).filter((method) => !called.has(method))).toEqual([]);
  });

  it('asks for exactly the scopes that the code uses', () => {
    const needed = [
      ...[...called].flatMap((method) => METHOD_SCOPES[method] ?? []),
      ...Object.values(EVENT_SCOPES).flat(),
      ...OTHER_SCOPES,
    ];
    expect([...manifest.oauth_config.scopes.bot].sort()).toEqual([...new Set(needed)].sort());
  });

  it('asks for the scopes whose absence is told at the start', () => {
    expect([...SCOPES].sort()).toEqual([...manifest.oauth_config.scopes.bot].sort());
  });

  it('subscribes to exactly the events that the code listens to, `message` in every kind of conversation', () => {
    const listened = [...productSource().matchAll(/app\.event\('([a-z_]+)'/g)].map((match) => match[1] ?? '');
    const wanted = Object.keys(EVENT_SCOPES).filter((event) => listened.includes(event.split('.')[0] ?? event));
    expect(listened.filter((event) => !wanted.some((one) => one.split('.')[0] === event))).toEqual([]);
    expect([...manifest.settings.event_subscriptions.bot_events].sort()).toEqual(wanted.sort());
  });

  it('has the one slash command', () => {
    expect(manifest.features.slash_commands.map((command) => command.command)).toEqual(['/steward']);
  });
});
