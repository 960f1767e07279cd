import { parseArgs } from 'node:util';
import { EXPORT_FORMATS, type ExportFormat } from '../store/audit/audit-export.ts';
import { parseProblem } from './command-line.ts';
import { UsageError } from './exit.ts';

/** Younger rows cannot be cut: payments are still disputed, and sums of the month still asked for. */
const KEEP_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

export const AUDIT_USAGE = `Usage:
  npm run audit -- verify
  npm run audit -- export [--from 2026-01-01] [--to 2026-01-31] [--format jsonl|csv]
  npm run audit -- prune --before 2026-01-01 --signed-off-by "A. Person" --reason "kept for two years"
Without development dependencies: node dist/cli/audit.js verify

verify walks the whole audit trail and names the first row that does not fit.
export writes its rows to the standard output (for a file: npm run --silent audit -- export …, or npm's own lines come
first). Times are UTC: a day (--to includes it) or 2026-01-31T09:30:00Z (--to does not include it). Without them:
everything. Default format: jsonl.
prune deletes the rows from before a day, for good, if the trail holds and they are ${KEEP_DAYS} days old or older. A row that
says who signed it off and why takes their place. Export them first.`;

/** `from` inclusive, `to` and `before` exclusive, null without end. */
export type AuditArguments =
  | { command: 'verify' }
  | { command: 'export'; from: Date | null; to: Date | null; format: ExportFormat }
  | { command: 'prune'; before: Date; signedOffBy: string; reason: string };

const OPTIONS = {
  from: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string' },
  before: { type: 'string' },
  'signed-off-by': { type: 'string' },
  reason: { type: 'string' },
} as const;

type Values = { [name in keyof typeof OPTIONS]?: string };

const TAKES = {
  verify: [],
  export: ['from', 'to', 'format'],
  prune: ['before', 'signed-off-by', 'reason'],
} as const satisfies Record<AuditArguments['command'], ReadonlyArray<keyof Values>>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Reads the command line. @throws {UsageError} */
export function readAuditArguments(args: string[], now: () => Date = () => new Date()): AuditArguments {
  const { positionals, values } = parse(args);
  const [command, ...rest] = positionals;
  if (command !== 'verify' && command !== 'export' && command !== 'prune') {
    throw new UsageError('Say verify, export or prune');
  }
  if (rest[0] !== undefined) throw new UsageError(`${command} takes no ${rest[0]}`);
  const takes: readonly string[] = TAKES[command];
  const strange = Object.keys(values).find((name) => !takes.includes(name));
  if (strange !== undefined) throw new UsageError(`${command} takes no --${strange}`);
  if (command === 'verify') return { command };
  return command === 'export' ? readExport(values) : readPrune(values, now());
}

function parse(args: string[]): { positionals: string[]; values: Values } {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(parseProblem(error), { cause: error });
  }
}

function readExport({ format: asked = 'jsonl', ...values }: Values): AuditArguments {
  const format = EXPORT_FORMATS.find((known) => known === asked);
  if (!format) throw new UsageError(`--format ${asked} is unknown: use ${EXPORT_FORMATS.join(' or ')}`);
  const from = values.from === undefined ? null : readMoment('--from', values.from).start;
  const to = values.to === undefined ? null : readMoment('--to', values.to).end;
  if (from && to && from >= to) throw new UsageError('--from must be before --to');
  return { command: 'export', from, to, format };
}

function readPrune(values: Values, now: Date): AuditArguments {
  if (values.before === undefined) throw new UsageError('--before is required: a day such as 2026-01-31');
  const before = readMoment('--before', values.before).start;
  if (before.getTime() > now.getTime() - KEEP_DAYS * DAY_MS) {
    throw new UsageError(`--before must be ${KEEP_DAYS} days ago or earlier: younger rows are kept`);
  }
  const signedOffBy = required('--signed-off-by', values['signed-off-by']);
  return { command: 'prune', before, signedOffBy, reason: required('--reason', values.reason) };
}

function required(name: string, value = ''): string {
  const text = value.trim();
  if (text !== '' && text.length <= 500) return text;
  throw new UsageError(`${name} is required, with 1 to 500 characters`);
}

/** A day's first moment and the next one's, or a moment as both. */
function readMoment(name: string, text: string): { start: Date; end: Date } {
  const start = new Date(text);
  const isReal = !Number.isNaN(start.getTime()) && new Date(text.slice(0, 10)).toJSON()?.startsWith(text.slice(0, 10));
  if (isReal && DAY.test(text)) return { start, end: new Date(start.getTime() + DAY_MS) };
  if (isReal && MOMENT.test(text)) return { start, end: start };
  throw new UsageError(`${name} ${text} is no time: use a day such as 2026-01-31, or 2026-01-31T09:30:00Z`);
}
