import { sql } from 'kysely';
import { createGroupCommit } from '../async/group-commit.ts';
import { within } from '../async/within.ts';
import type { AdmittedRun, InboxEntry, NewRun, Store } from '../domain/ports/store.ts';
import { StewardError } from '../errors.ts';
import { createAuditStore } from './audit/audit-store.ts';
import type { SqlPool } from './connection/sql-pool.ts';
import { createDatabase, type Db } from './database.ts';
import { createInboxStore, insertDeliveries, markProcessed } from './inbox-store.ts';
import { createLedgerStore } from './ledger/ledger-store.ts';
import { migrate } from './migrations/migrate.ts';
import { createOutboxStore } from './outbox-store.ts';
import { createPauseStore } from './pauses/pause-store.ts';
import { admitRuns } from './runs/admit-runs.ts';
import { createRunStore } from './runs/run-store.ts';

const MAX_DELIVERIES = 200;
const MAX_COMPLETIONS = 200;
const MAX_ADMISSIONS = 100;
const PING_TIMEOUT_MS = 3000;

/**
 * Brings the database's schema up to date and opens the repositories on it.
 *
 * Owns the group commits, by which what arrives together costs few statements; it takes over the pool, which `close` ends once what was submitted is stored. Whoever
 * else uses the pool (the queue) is closed first. Deadlines are the caller's times; leases, beats and ages go by the
 * database's clock, which all processes share.
 *
 * @throws {StewardError} `store_unavailable` when the database does not answer or is of a newer version. Every method
 * rejects with the same code when the database fails.
 */
export async function createStore(pool: SqlPool): Promise<Store> {
  const db = createDatabase(pool);
  await migrate(db);
  const deliveries = createGroupCommit<InboxEntry, boolean>({
    flush: (entries) => insertDeliveries(db, entries),
    maxBatch: MAX_DELIVERIES,
  });
  const completions = createGroupCommit<string, undefined>({
    flush: (keys) => markProcessed(db, keys),
    maxBatch: MAX_COMPLETIONS,
  });
  const admission = createGroupCommit<NewRun, AdmittedRun>({
    flush: (requests) => admitRuns(db, requests),
    maxBatch: MAX_ADMISSIONS,
  });
  return {
    runs: createRunStore(db, admission),
    pauses: createPauseStore(db),
    ledger: createLedgerStore(db),
    outbox: createOutboxStore(db),
    inbox: createInboxStore(db, { deliveries, completions }),
    audit: createAuditStore(db),
    ping: () => ping(db),
    async close() {
      await Promise.all([deliveries, completions, admission].map((commit) => commit.drain()));
      await db.destroy();
    },
  };
}

async function ping(db: Db): Promise<void> {
  const late = (): never => {
    const problem = `The database has not answered for ${PING_TIMEOUT_MS} ms`;
    throw new StewardError(problem, { code: 'store_unavailable', retryable: true });
  };
  await within(sql`select 1`.execute(db), { ms: PING_TIMEOUT_MS, late });
}
