import { type Kysely, sql } from 'kysely';
import { StewardError } from '../../errors.ts';
import { transact } from '../database.ts';
import type { Database } from '../schema.ts';
import { initialMigration } from './0001-initial.ts';
import { ledgerMigration } from './0002-ledger.ts';
import { auditChainMigration } from './0003-audit-chain.ts';
import { infoCardsMigration } from './0004-info-cards.ts';
import { requestOrderMigration } from './0005-request-order.ts';
import { allowedApprovalsMigration } from './0006-allowed-approvals.ts';
import { remindedPausesMigration } from './0007-reminded-pauses.ts';
import type { Migration } from './migration.ts';

/** In the order in which they are applied. New ones go to the end. */
const MIGRATIONS: readonly Migration[] = [
  initialMigration,
  ledgerMigration,
  auditChainMigration,
  infoCardsMigration,
  requestOrderMigration,
  allowedApprovalsMigration,
  remindedPausesMigration,
];

/** Any number will do, as long as it stays the same: processes that start at once wait for each other on it. */
const LOCK = 7_326_114_902;

/**
 * Brings schema `steward` up to date. Forward only; several processes may call it at once. Two quick
 * queries when there is nothing to do.
 *
 * @throws {StewardError} `store_unavailable`, not retryable, when a newer version of Steward has used the database
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  if ((await isMigrated(db)) && pending(await appliedNames(db)).length === 0) return;
  await transact(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(trx);
    await sql`create schema if not exists steward`.execute(trx);
    await sql`create table if not exists steward.migrations (
      name text primary key, applied_at timestamptz not null default now())`.execute(trx);
    for (const migration of pending(await appliedNames(trx))) await apply(trx, migration);
  });
}

async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('steward.migrations') is not null as found`.execute(db);
  return rows[0]?.found === true;
}

async function appliedNames(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from steward.migrations order by name`.execute(db);
  return rows.map((row) => row.name);
}

function pending(applied: readonly string[]): Migration[] {
  const unknown = applied.filter((name) => !MIGRATIONS.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new StewardError(
      `The database was used by a newer version of Steward (it has ${unknown.join(', ')}). Start that version again.`,
      { code: 'store_unavailable', retryable: false },
    );
  }
  return MIGRATIONS.filter((migration) => !applied.includes(migration.name));
}

async function apply(trx: Kysely<Database>, migration: Migration): Promise<void> {
  for (const statement of migration.statements) await sql.raw(statement).execute(trx);
  await sql`insert into steward.migrations (name) values (${migration.name})`.execute(trx);
}
