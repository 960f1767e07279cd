import type { Logger } from '../domain/ports/logger.ts';
import type { SlackError } from '../errors.ts';

/** How calls with the bot's token end. */
export type TokenWatch = { refused(error: SlackError): void; accepted(): void };

/**
 * Says once that Slack refuses the token, and once that it takes it again: until an operator has seen to it every call
 * fails for that reason, and their own lines would say nothing more.
 */
export function createTokenWatch(logger: Logger): TokenWatch {
  let isRefused = false;
  return {
    refused({ slackCode, message: reason }) {
      if (isRefused) return;
      isRefused = true;
      logger.error({ slackCode, reason }, 'slack_token_refused');
    },
    accepted() {
      if (!isRefused) return;
      isRefused = false;
      logger.info('slack_token_accepted');
    },
  };
}
