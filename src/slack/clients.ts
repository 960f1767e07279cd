import { WebClient } from '@slack/web-api';
import type { Logger } from '../domain/ports/logger.ts';
import { createSdkLogger } from './sdk-logger.ts';

/** One for each kind of haste, because a client's calls may stand behind one another. */
export type SlackClients = {
  /** Posts, owed updates, uploads and look-ups. */
  posts: WebClient;
  /** Paced edits of status messages. */
  edits: WebClient;
  /** What a person waits for: modals and private replies. */
  replies: WebClient;
};

type SlackConnection = { token: string; apiUrl: string; logger: Logger };

const POST_TIMEOUT_MS = 30_000;
const EDIT_TIMEOUT_MS = 10_000;
/** A modal's trigger lives 3 s. */
const REPLY_TIMEOUT_MS = 2_800;

/**
 * The SDK never tries again by itself: a post whose answer was lost may have been made, and only the outbox knows how
 * to find out. It never waits for a 429 either, because it would hold its whole queue meanwhile (contract C13).
 */
export function createClients(connection: SlackConnection): SlackClients {
  return {
    posts: createClient(connection, POST_TIMEOUT_MS),
    edits: createClient(connection, EDIT_TIMEOUT_MS),
    replies: createClient(connection, REPLY_TIMEOUT_MS),
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
