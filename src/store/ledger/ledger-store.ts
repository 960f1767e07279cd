import type { LedgerStore } from '../../domain/ports/store.ts';
import type { Db } from '../database.ts';
import { entriesOf, getEntry } from './ledger-moves.ts';
import { spentToday } from './spending.ts';

/** What the ledger says. It is written where pauses, decisions and legs are, in their transactions. */
export function createLedgerStore(db: Db): LedgerStore {
  return {
    get: (pauseId) => getEntry(db, pauseId),
    entriesOf: (runId) => entriesOf(db, runId),
    spentToday: (scope) => spentToday(db, scope),
  };
}
