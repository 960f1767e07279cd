import { App, type AuthorizeResult, LogLevel, type Receiver, type Logger as SdkLogger, type webApi } from '@slack/bolt';
import type { BotIdentity } from '../domain/ports/bot-identity.ts';

/** Bolt only routes here: the transports hand it what they took, through `processEvent`. */
const PASSIVE_RECEIVER: Receiver = {
  init() {},
  async start() {},
  async stop() {},
};

/** For `respond`, which has no time limit of its own. */
const RESPOND_TIMEOUT_MS = 10_000;

const fetchInTime: webApi.FetchFunction = (url, init) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(RESPOND_TIMEOUT_MS) });

/**
 * Bolt's app, without anything that calls Slack by itself: with a bare token it would ask `auth.test` for every single
 * delivery, and not take any while Slack does not answer.
 *
 * A listener's error rejects `processEvent`, where `createDeliveries` tells what it means and logs it once.
 */
export function createBoltApp(options: {
  botToken: string;
  apiUrl: string;
  identity: BotIdentity;
  logger: SdkLogger;
}): App {
  async function authorize(): Promise<AuthorizeResult> {
    const who = options.identity.current();
    return { botToken: options.botToken, ...(who && { botUserId: who.botUserId, botId: who.botId }) };
  }
  const app = new App({
    receiver: PASSIVE_RECEIVER,
    authorize,
    convoStore: false,
    logger: options.logger,
    logLevel: LogLevel.WARN,
    clientOptions: { slackApiUrl: options.apiUrl, retryConfig: { retries: 0 }, fetch: fetchInTime },
  });
  app.error(async (error) => {
    throw error;
  });
  return app;
}
