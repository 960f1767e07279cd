import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorMessage } from '../errors.ts';
import { verifyChain } from '../store/audit/audit-chain.ts';
import { exportRows } from '../store/audit/audit-export.ts';
import type { SqlPool } from '../store/connection/sql-pool.ts';
import { createDatabase, type Db } from '../store/database.ts';
import { AUDIT_USAGE, type AuditArguments, readAuditArguments, UsageError } from './audit-arguments.ts';

/** 64 and 69 are sysexits.h: called in a wrong way; the database cannot be read. */
export const AUDIT_EXIT = { ok: 0, broken: 1, usage: 64, unavailable: 69 } as const;

/** `openPool` gives the database that the bot uses; it is closed at the end, whatever happened. */
export type AuditCommandDeps = { openPool: () => Promise<SqlPool>; stdout: Writable; stderr: Writable };

/**
 * `npm run audit`: checks or exports the audit trail, changing nothing. Results go to `stdout`, all else to `stderr`.
 * Resolves with the exit code: 0, 1 when the chain is broken, 64 for a wrong command line, 69 when it cannot be read.
 */
export async function runAuditCommand(args: string[], deps: AuditCommandDeps): Promise<number> {
  try {
    const command = readAuditArguments(args);
    const db = createDatabase(await deps.openPool());
    try {
      return await carryOut(command, { ...deps, db });
    } finally {
      await db.destroy();
    }
  } catch (error) {
    const isUsage = error instanceof UsageError;
    deps.stderr.write(isUsage ? `${error.message}\n\n${AUDIT_USAGE}\n` : `${errorMessage(error)}\n`);
    return isUsage ? AUDIT_EXIT.usage : AUDIT_EXIT.unavailable;
  }
}

async function carryOut(
  command: AuditArguments,
  deps: { db: Db; stdout: Writable; stderr: Writable },
): Promise<number> {
  if (command.command === 'verify') return verify(deps);
  try {
    await pipeline(Readable.from(exportRows(deps.db, command)), deps.stdout, { end: false });
  } catch (error) {
    // Whoever reads has seen enough (`| head`).
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
  }
  return AUDIT_EXIT.ok;
}

async function verify({ db, stdout }: { db: Db; stdout: Writable }): Promise<number> {
  const verdict = await verifyChain(db);
  if (verdict.ok) {
    const { seq, hash } = verdict.end;
    stdout.write(`The audit trail holds: ${verdict.rows} rows, the last is ${seq} with hash ${hash}\n`);
    return AUDIT_EXIT.ok;
  }
  const { seq, problem } = verdict.firstBreak;
  stdout.write(`The audit trail is BROKEN at row ${seq}: ${problem}. ${verdict.rows} rows before it hold.\n`);
  return AUDIT_EXIT.broken;
}
