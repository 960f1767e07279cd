import { LogLevel, type Logger as SdkLogger } from '@slack/web-api';
import type { Logger } from '../domain/ports/logger.ts';

/** The Web API's client says this and throws it too, so that whoever called tells of it: once. */
const REQUEST_FAILED = 'http request failed';

/**
 * Our logger in the shape that Slack's libraries want, at `warn` and above only: below that they write whole payloads,
 * which hold message text, and socket addresses (contract C35).
 */
export function createSdkLogger(logger: Logger): SdkLogger {
  return {
    debug() {},
    info() {},
    warn(...parts: unknown[]) {
      if (parts[0] === REQUEST_FAILED) return;
      logger.warn({ detail: parts.map(String).join(' ') }, 'slack_sdk_warning');
    },
    error: (...parts: unknown[]) => logger.error({ detail: parts.map(String).join(' ') }, 'slack_sdk_error'),
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}
