import { WebClient, type WebClientOptions } from '@slack/web-api';
import type { Logger } from '../domain/ports/logger.ts';
import { toSlackError } from './map-error.ts';
import { createSdkLogger } from './sdk-logger.ts';
import { createTokenWatch, type TokenWatch } from './token-watch.ts';

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
  const watch = createTokenWatch(connection.logger);
  const create = (timeoutMs: number) => new WatchedClient(connection, { timeoutMs, watch });
  return { posts: create(POST_TIMEOUT_MS), edits: create(EDIT_TIMEOUT_MS), replies: create(REPLY_TIMEOUT_MS) };
}

/** A client for the check at the start, which waits for its answers; whoever checks tells what is refused. */
export function createCheckClient(connection: SlackConnection): WebClient {
  return new WebClient(connection.token, settingsOf(connection, REPLY_TIMEOUT_MS));
}

function settingsOf({ apiUrl, logger }: SlackConnection, timeoutMs: number): WebClientOptions {
  return {
    slackApiUrl: apiUrl,
    logger: createSdkLogger(logger),
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  };
}

/** Every method of the SDK goes through `apiCall`, so that here is the one place that sees how each call ended. */
class WatchedClient extends WebClient {
  readonly #watch: TokenWatch;

  constructor(connection: SlackConnection, { timeoutMs, watch }: { timeoutMs: number; watch: TokenWatch }) {
    super(connection.token, settingsOf(connection, timeoutMs));
    this.#watch = watch;
  }

  override async apiCall(...[method, options]: Parameters<WebClient['apiCall']>): ReturnType<WebClient['apiCall']> {
    try {
      const answer = await super.apiCall(method, options);
      this.#watch.accepted();
      return answer;
    } catch (error) {
      const failure = toSlackError(error, method);
      if (failure.code === 'slack_token_refused') this.#watch.refused(failure);
      throw error;
    }
  }
}
