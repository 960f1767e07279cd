import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertNever } from '../domain/assert-never.ts';
import { ConfigError, errorMessage } from '../errors.ts';
import { type ChainVerdict, verifyChain } from '../store/audit/audit-chain.ts';
import { exportRows } from '../store/audit/audit-export.ts';
import { pruneAudit } from '../store/audit/audit-retention.ts';
import type { SqlPool } from '../store/connection/sql-pool.ts';
import { createDatabase, type Db } from '../store/database.ts';
import { isTableMissing } from '../store/sql-errors.ts';
import { AUDIT_USAGE, type AuditArguments, readAuditArguments } from './audit-arguments.ts';
import { asksForHelp } from './command-line.ts';
import { EXIT, UsageError } from './exit.ts';

/** `openPool` gives the database that the bot uses; it is closed at the end, whatever happened. */
export type AuditCommandDeps = {
  openPool: () => Promise<SqlPool>;
  stdout: Writable;
  stderr: Writable;
  now?: () => Date;
};

/** A database that was created, and whose tables were not: the bot makes them when it starts. */
const NO_TRAIL = 'The database holds no audit trail: no bot of this version has been started with it yet.';

type Open = { db: Db; stdout: Writable };
type PruneArguments = Extract<AuditArguments, { command: 'prune' }>;

/**
 * `npm run audit`: checks, exports or prunes the audit trail. Results go to `stdout`, all else to `stderr`. Only
 * `prune` changes anything. Resolves with the exit code: 0, 1 when the chain is broken, 64 for a wrong command line, 69
 * when the database cannot be used, 78 for settings that cannot.
 */
export async function runAuditCommand(args: string[], deps: AuditCommandDeps): Promise<number> {
  if (asksForHelp(args)) {
    deps.stdout.write(`${AUDIT_USAGE}\n`);
    return EXIT.ok;
  }
  try {
    const command = readAuditArguments(args, deps.now);
    const db = createDatabase(await deps.openPool());
    try {
      return await carryOut(command, { stdout: deps.stdout, db });
    } finally {
      await db.destroy();
    }
  } catch (error) {
    return reportFailure(error, deps.stderr);
  }
}

function reportFailure(error: unknown, stderr: Writable): number {
  if (error instanceof UsageError) {
    stderr.write(`${error.message}\n\n${AUDIT_USAGE}\n`);
    return EXIT.usage;
  }
  stderr.write(`${isTableMissing(error) ? NO_TRAIL : errorMessage(error)}\n`);
  return error instanceof ConfigError ? EXIT.config : EXIT.unavailable;
}

async function carryOut(command: AuditArguments, open: Open): Promise<number> {
  switch (command.command) {
    case 'verify':
      return verify(open);
    case 'export':
      return exportAll(command, open);
    case 'prune':
      return prune(command, open);
    default:
      return assertNever(command);
  }
}

async function exportAll(command: Extract<AuditArguments, { command: 'export' }>, { db, stdout }: Open) {
  try {
    await pipeline(Readable.from(exportRows(db, command)), stdout, { end: false });
  } catch (error) {
    // Whoever reads has seen enough (`| head`).
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
  return EXIT.ok;
}

async function verify({ db, stdout }: Open): Promise<number> {
  const verdict = await verifyChain(db);
  if (!verdict.ok) return reportBreak(verdict, stdout);
  const { seq, hash } = verdict.end;
  stdout.write(`The audit trail holds: ${verdict.rows} rows, the last is ${seq} with hash ${hash}\n`);
  return EXIT.ok;
}

function reportBreak({ rows, firstBreak }: Extract<ChainVerdict, { ok: false }>, stdout: Writable): number {
  const { seq, problem } = firstBreak;
  stdout.write(`The audit trail is BROKEN at row ${seq}: ${problem}. ${rows} rows before it hold.\n`);
  return EXIT.failed;
}

/** A trail that does not hold is evidence: nothing of it is deleted. */
async function prune({ before, signedOffBy, reason }: PruneArguments, { db, stdout }: Open): Promise<number> {
  const verdict = await verifyChain(db);
  if (!verdict.ok) {
    reportBreak(verdict, stdout);
    stdout.write('Nothing was deleted.\n');
    return EXIT.failed;
  }
  const deleted = await pruneAudit(db, { before, signedOffBy, reason });
  const span = `from before ${before.toISOString()}`;
  stdout.write(
    deleted === 0
      ? `There are no rows ${span}. Nothing was deleted.\n`
      : `${deleted} rows ${span} were deleted, and a row signed off by ${signedOffBy} stands in their place.\n`,
  );
  return EXIT.ok;
}
