import { sql } from 'kysely';
import { type Db, type Trx, transact } from '../database.ts';
import { appendAudit } from './audit-store.ts';

/** `signedOffBy` is whoever answers for the cut, `reason` the rule that it follows; both stand in the marker. */
export type Cut = { before: Date; signedOffBy: string; reason: string };

/**
 * Cuts the audit trail's rows from before a moment, from its start up to the first that is newer; how many. The marker
 * row that takes their place says which rows they were and carries the hash of the last, so that the rest still proves
 * what came before it. The only way to delete rows; nothing calls it by itself.
 */
export function pruneAudit(db: Db, cut: Cut): Promise<number> {
  return transact(db, async (trx) => {
    // Held to the end of the transaction: the marker is the next row.
    await trx.selectFrom('audit_head').select('seq').forUpdate().execute();
    const old = await findOld(trx, cut.before);
    if (!old) return 0;
    const details = {
      firstSeq: Number(old.firstSeq),
      throughSeq: Number(old.throughSeq),
      lastHash: old.lastHash,
      before: cut.before.toISOString(),
    };
    const { signedOffBy: actorId, reason } = cut;
    await appendAudit(trx, [{ kind: 'pruned', runId: null, pauseId: null, actorId, reason, details }]);
    const deleted = await sql`delete from steward.audit where seq <= ${old.throughSeq}`.execute(trx);
    return Number(deleted.numAffectedRows ?? 0);
  });
}

type OldRows = { firstSeq: string; throughSeq: string; lastHash: string };

async function findOld(trx: Trx, before: Date): Promise<OldRows | null> {
  const { rows } = await sql<OldRows>`
    select (select min(seq) from steward.audit)::text as "firstSeq", seq::text as "throughSeq", hash as "lastHash"
    from steward.audit
    where seq < coalesce((select min(seq) from steward.audit where at >= ${before}), ${Number.MAX_SAFE_INTEGER})
    order by seq desc limit 1`.execute(trx);
  return rows[0] ?? null;
}
