import type { Logger } from '../../../../src/domain/ports/logger.ts';

export type LogLine = { level: string; event: string; fields: object };

/** A logger that keeps its lines. */
export function createMemoryLogger(): Logger & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write =
    (level: string) =>
    (first: object | string, event?: string): void => {
      const said = typeof first === 'string' ? { event: first, fields: {} } : { event: event ?? '', fields: first };
      lines.push({ level, ...said });
    };
  const logger = {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => logger,
  };
  return logger;
}
