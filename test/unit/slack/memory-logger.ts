import type { Logger } from '../../../src/domain/ports/logger.ts';

type LoggedLine = { level: string; event: string; fields: object };

/** A logger that keeps its lines. */
export function createMemoryLogger(): Logger & { lines: LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const at = (level: string) => (fields: object | string, event?: string) => {
    lines.push(
      typeof fields === 'string' ? { level, event: fields, fields: {} } : { level, event: event ?? '', fields },
    );
  };
  const logger = { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { ...logger, child: () => ({ ...logger, child: () => createMemoryLogger() }) };
}
