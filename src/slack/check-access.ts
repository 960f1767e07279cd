import type { Logger } from '../domain/ports/logger.ts';
import { ConfigError, SlackError } from '../errors.ts';
import { createCheckClient } from './clients.ts';
import type { TokenIdentity } from './identity.ts';
import { callSlack, OPEN_SOCKET, tokenRefused } from './map-error.ts';

/** The scopes that manifest.yml asks for. */
export const SCOPES = [
  'chat:write',
  'app_mentions:read',
  'channels:history',
  'channels:read',
  'commands',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'mpim:history',
  'mpim:read',
  'usergroups:read',
  'users:read',
] as const;

type Access = {
  identity: TokenIdentity;
  /** Null where this process opens no sockets. */
  appToken: string | null;
  apiUrl: string;
  logger: Logger;
};

/**
 * Asks Slack once whether it takes the tokens, before anything is begun with them. Slack being away, or slow, refuses
 * nothing: it is logged, and whoever needs Slack asks again.
 *
 * @throws {ConfigError} naming each variable whose token Slack refuses, or that lacks `chat:write`
 */
export async function checkAccess(access: Access): Promise<void> {
  const { appToken, logger } = access;
  const checks = [checkBotToken(access), ...(appToken === null ? [] : [checkAppToken({ ...access, appToken })])];
  const found = await Promise.all(checks.map((check) => refusalOf(check, logger)));
  const problems = found.filter((problem) => problem !== null);
  if (problems.length > 0) throw new ConfigError(problems);
}

async function refusalOf(check: Promise<void>, logger: Logger): Promise<string | null> {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof SlackError && error.code === 'slack_token_refused') return error.message;
    logger.warn({ err: error }, 'slack_access_not_checked');
    return null;
  }
}

async function checkBotToken({ identity, logger }: Access): Promise<void> {
  await identity.resolve();
  const scopes = identity.scopes();
  if (scopes === null) return;
  const missing = SCOPES.filter((scope) => !scopes.includes(scope));
  // A bot that may not write could not even say what else it lacks.
  if (missing.includes('chat:write')) throw tokenRefused('auth.test', 'missing_scope: chat:write');
  if (missing.length > 0) logger.warn({ missing, see: 'manifest.yml' }, 'slack_scopes_missing');
}

/** By asking for a socket's address; no socket is opened there. */
async function checkAppToken({ appToken, apiUrl, logger }: Access & { appToken: string }): Promise<void> {
  const client = createCheckClient({ token: appToken, apiUrl, logger });
  await callSlack(OPEN_SOCKET, () => client.apps.connections.open());
}
