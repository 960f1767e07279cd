import type { Logger as SdkLogger } from '@slack/bolt';
import { SocketModeClient } from '@slack/socket-mode';

/** Longest wait for `apps.connections.open`. */
const OPEN_TIMEOUT_MS = 10_000;

/**
 * Slack's socket client without its own reconnecting: in 3.1.0 a failure of it is an unhandled rejection, which ends
 * the process. So is an envelope that it cannot read, such as `app_rate_limited`, which has no `event`.
 */
class SteadySocketClient extends SocketModeClient {
  readonly #logger: SdkLogger;

  constructor(options: { appToken: string; apiUrl: string; logger: SdkLogger }) {
    super({
      appToken: options.appToken,
      logger: withoutErrors(options.logger),
      autoReconnectEnabled: false,
      // A fresh object: the client writes into it.
      clientOptions: { slackApiUrl: options.apiUrl, retryConfig: { retries: 0 }, timeout: OPEN_TIMEOUT_MS },
    });
    this.#logger = options.logger;
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    try {
      await super.onWebSocketMessage(data, isBinary);
    } catch (error) {
      this.#logger.warn('An envelope could not be read and is left unacknowledged.', error);
    }
  }
}

/** Each of the client's errors is thrown or emitted too, and told where that is caught: once. */
function withoutErrors(logger: SdkLogger): SdkLogger {
  return {
    debug: (...parts) => logger.debug(...parts),
    info: (...parts) => logger.info(...parts),
    warn: (...parts) => logger.warn(...parts),
    error() {},
    setLevel: (level) => logger.setLevel(level),
    getLevel: () => logger.getLevel(),
    setName: (name) => logger.setName(name),
  };
}

export type CreateSocketClient = () => SocketModeClient;

export function socketClientFactory(options: {
  appToken: string;
  apiUrl: string;
  logger: SdkLogger;
}): CreateSocketClient {
  return () => new SteadySocketClient(options);
}
