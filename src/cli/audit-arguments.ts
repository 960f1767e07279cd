import { parseArgs } from 'node:util';
import { errorMessage } from '../errors.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../store/audit/audit-export.ts';

export const AUDIT_USAGE = `Usage:
  npm run audit -- verify
  npm run audit -- export [--from 2026-01-01] [--to 2026-01-31] [--format jsonl|csv]

verify walks the whole audit trail and names the first row that does not fit.
export writes its rows to the standard output. Times are UTC: a day (--to includes it) or 2026-01-31T09:30:00Z
(--to does not include it). Without them: everything. Default format: jsonl.`;

/** `from` inclusive, `to` exclusive, null without end. */
export type AuditArguments =
  | { command: 'verify' }
  | { command: 'export'; from: Date | null; to: Date | null; format: ExportFormat };

/** The command line cannot be used; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string', default: 'jsonl' },
} as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads the command line. @throws {UsageError} */
export function readAuditArguments(args: string[]): AuditArguments {
  const { positionals, values, tokens } = parse(args);
  const [command, ...rest] = positionals;
  const hasOptions = tokens.some(({ kind }) => kind === 'option');
  if (command === 'verify' && rest.length === 0 && !hasOptions) return { command };
  if (command === 'verify') throw new UsageError('verify takes no options: the chain is walked as a whole');
  if (command !== 'export' || rest.length > 0) throw new UsageError('Say verify or export');
  const format = EXPORT_FORMATS.find((known) => known === values.format);
  if (!format) throw new UsageError(`--format ${values.format} is unknown: use ${EXPORT_FORMATS.join(' or ')}`);
  const from = readMoment('--from', values.from)?.start ?? null;
  const to = readMoment('--to', values.to)?.end ?? null;
  if (from && to && from >= to) throw new UsageError('--from must be before --to');
  return { command, from, to, format };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    throw new UsageError(errorMessage(error), { cause: error });
  }
}

/** A day's first moment and the next one's, or a moment as both. */
function readMoment(name: string, text: string | undefined): { start: Date; end: Date } | null {
  if (text === undefined) return null;
  const start = new Date(text);
  const isReal = !Number.isNaN(start.getTime()) && new Date(text.slice(0, 10)).toJSON()?.startsWith(text.slice(0, 10));
  if (isReal && DAY.test(text)) return { start, end: new Date(start.getTime() + DAY_MS) };
  if (isReal && MOMENT.test(text)) return { start, end: start };
  throw new UsageError(`${name} ${text} is no time: use a day such as 2026-01-31, or 2026-01-31T09:30:00Z`);
}
