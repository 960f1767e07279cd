import { type Logger as SdkLogger, webApi } from '@slack/bolt';

export type SlackClient = webApi.WebClient;

/** A modal's trigger lives 3 s, and a person waits for the rest. */
const CALL_TIMEOUT_MS = 2_800;

/**
 * The client for what people wait for: modals and private replies. Its own, because a limited call holds up every other
 * call of the same client; and never patient, because an answer that comes late is of no use.
 */
export function createSlackClient(options: { botToken: string; apiUrl: string; logger: SdkLogger }): SlackClient {
  return new webApi.WebClient(options.botToken, {
    slackApiUrl: options.apiUrl,
    logger: options.logger,
    retryConfig: { retries: 0 },
    timeout: CALL_TIMEOUT_MS,
    rejectRateLimitedCalls: true,
  });
}
