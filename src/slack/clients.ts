import { WebClient } from '@slack/web-api';
import type { Logger } from '../domain/ports/logger.ts';
import { createSdkLogger } from './sdk-logger.ts';

/** Intake has a third client, for modals: a call that must beat a 3 s trigger never stands behind one of these. */
export type SlackClients = {
  /** Posts, owed updates, uploads and look-ups. */
  posts: WebClient;
  /** Paced edits of status messages. */
  edits: WebClient;
};

type SlackConnection = { token: string; apiUrl: string; logger: Logger };

const POST_TIMEOUT_MS = 30_000;
const EDIT_TIMEOUT_MS = 10_000;

/**
 * The SDK never tries again by itself: a post whose answer was lost may have been made, and only the outbox knows how
 * to find out. It never waits for a 429 either, because it would hold its whole queue meanwhile (contract C13).
 */
export function createClients(connection: SlackConnection): SlackClients {
  return {
    posts: createClient(connection, POST_TIMEOUT_MS),
    edits: createClient(connection, EDIT_TIMEOUT_MS),
  };
}

function createClient({ token, apiUrl, logger }: SlackConnection, timeoutMs: number): WebClient {
  return new WebClient(token, {
    slackApiUrl: apiUrl,
    logger: createSdkLogger(logger),
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  });
}
