import { LogLevel, type Logger as SdkLogger } from '@slack/web-api';
import type { Logger } from '../domain/ports/logger.ts';

/**
 * Lets the SDK log through our logger, at `warn` and above only: below that it writes whole request bodies, which hold
 * message text (contract C35).
 */
export function createSdkLogger(logger: Logger): SdkLogger {
  return {
    debug() {},
    info() {},
    warn: (...parts: unknown[]) => logger.warn({ detail: joinParts(parts) }, 'slack_sdk_warning'),
    error: (...parts: unknown[]) => logger.error({ detail: joinParts(parts) }, 'slack_sdk_error'),
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}

function joinParts(parts: readonly unknown[]): string {
  return parts
    .map(String)
    .join(' ')
    .replace(/xox[a-z]-[\w-]+/g, '***');
}
