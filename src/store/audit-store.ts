import type { AuditStore } from '../domain/ports/store.ts';
import type { Db } from './database.ts';
import { toText } from './json.ts';

/** Who tried what. Rows are only ever added. */
export function createAuditStore(db: Db): AuditStore {
  return {
    async append(entry) {
      await db
        .insertInto('audit')
        .values({
          kind: entry.kind,
          run_id: entry.runId,
          pause_id: entry.pauseId,
          actor_id: entry.actorId,
          reason: toText(entry.reason),
        })
        .execute();
    },
    async list(runId) {
      return db
        .selectFrom('audit')
        .select(['at', 'kind', 'run_id as runId', 'pause_id as pauseId', 'actor_id as actorId', 'reason'])
        .where('run_id', '=', runId)
        .orderBy('seq')
        .execute();
    },
  };
}
