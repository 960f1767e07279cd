import { LogLevel, type Logger as SdkLogger } from '@slack/bolt';
import type { Logger } from '../domain/ports/logger.ts';

/**
 * Our logger in the shape that Slack's libraries want. Their debug and info lines repeat payloads and socket addresses,
 * so only warnings and errors come through (contract C35).
 */
export function createSdkLogger(logger: Logger): SdkLogger {
  const say = (parts: unknown[]): string =>
    parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' ');
  return {
    debug() {},
    info() {},
    warn: (...parts: unknown[]) => logger.warn({ detail: say(parts) }, 'slack_library_warning'),
    error: (...parts: unknown[]) => logger.error({ detail: say(parts) }, 'slack_library_error'),
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}
