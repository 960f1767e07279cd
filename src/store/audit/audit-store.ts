import type { AuditEntry } from '../../domain/audit.ts';
import type { AuditStore } from '../../domain/ports/store.ts';
import type { Db } from '../database.ts';
import { toText } from '../json.ts';
import { detailsJson } from './audit-chain.ts';

/** Who tried what. Rows are only ever added. */
export function createAuditStore(db: Db): AuditStore {
  return {
    append: (entry) => appendAudit(db, [entry]),
    async list(runId) {
      const rows = await db
        .selectFrom('audit')
        .select(['at', 'kind', 'run_id as runId', 'pause_id as pauseId', 'actor_id as actorId', 'reason', 'details'])
        .where('run_id', '=', runId)
        .orderBy('seq')
        .execute();
      return rows.map(({ details, ...row }) => (details === '{}' ? row : { ...row, details: JSON.parse(details) }));
    },
  };
}

/**
 * Adds rows to the audit trail in one statement, in their order, also inside a transaction: then they are there if and
 * only if what they tell of is. It comes last in that transaction, since all others wait for its end with theirs.
 */
export async function appendAudit(db: Db, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await db
    .insertInto('audit')
    .values(
      entries.map((entry) => ({
        kind: entry.kind,
        run_id: entry.runId,
        pause_id: entry.pauseId,
        actor_id: entry.actorId === null ? null : toText(entry.actorId),
        reason: toText(entry.reason),
        details: detailsJson(entry.details ?? {}),
      })),
    )
    .execute();
}
