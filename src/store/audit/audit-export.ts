import type { Db } from '../database.ts';
import { type AuditRow, readAuditRows } from './audit-rows.ts';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const COLUMNS = [
  'seq',
  'at',
  'kind',
  'runId',
  'pauseId',
  'actorId',
  'reason',
  'details',
  'prevHash',
  'hash',
] as const satisfies ReadonlyArray<keyof AuditRow>;

/** What a spreadsheet takes for a formula, also after blanks that it drops and in full-width form. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * The audit trail as lines of text, each with its line end: CSV (RFC 4180, with a header) or one JSON object per line,
 * whose fields are all that the row's hash is made of. `from` inclusive, `to` exclusive, null without end.
 */
export async function* exportRows(
  db: Db,
  options: { from: Date | null; to: Date | null; format: ExportFormat },
): AsyncGenerator<string, void, undefined> {
  if (options.format === 'csv') yield `${COLUMNS.join(',')}\r\n`;
  for await (const row of readAuditRows(db, options)) yield options.format === 'csv' ? csvLine(row) : jsonLine(row);
}

function csvLine(row: AuditRow): string {
  return `${COLUMNS.map((column) => csvCell(String(row[column] ?? ''))).join(',')}\r\n`;
}

/** A cell that a spreadsheet shows as text: what it would run as a formula gets an apostrophe before it. */
export function csvCell(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** `details` goes out as it is stored and hashed; the database holds no other than a JSON object there. */
function jsonLine(row: AuditRow): string {
  const fields = COLUMNS.map(
    (column) => `"${column}":${column === 'details' ? row.details : JSON.stringify(row[column])}`,
  );
  return `{${fields.join(',')}}\n`;
}
