import type { Logger } from '../../domain/ports/logger.ts';
import type { SlackError } from '../../errors.ts';

/** What becomes of sockets, for the log. */
export type SocketReport = {
  opened(): void;
  /** `failures` counts this connection's attempts in a row. */
  connectFailed(error: unknown, failures: number): void;
  /** An open socket broke; one that Slack closes does not. */
  broke(error: unknown): void;
};

/**
 * One line per failed attempt of any connection. A token that Slack refuses is said once, until a socket is open again:
 * only an operator can see to it.
 */
export function createSocketReport(options: {
  toSocketError: (error: unknown) => SlackError;
  logger: Logger;
}): SocketReport {
  const { toSocketError, logger } = options;
  let isRefused = false;
  return {
    opened() {
      isRefused = false;
    },
    connectFailed(error, failures) {
      const { code, slackCode, message: reason } = toSocketError(error);
      if (code !== 'slack_token_refused') return logger.warn({ failures, slackCode, reason }, 'socket_connect_failed');
      if (isRefused) return logger.debug({ failures, slackCode }, 'socket_connect_failed');
      isRefused = true;
      logger.error({ slackCode, reason }, 'slack_token_refused');
    },
    broke: (error) => logger.warn({ reason: toSocketError(error).message }, 'socket_broke'),
  };
}
