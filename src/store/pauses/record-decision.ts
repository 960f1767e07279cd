import { sql } from 'kysely';
import type { AuditEntry } from '../../domain/audit.ts';
import { pauseOperations, statusOperation } from '../../domain/outbox.ts';
import type { Decision, Pause } from '../../domain/pause.ts';
import type { PauseVerdict } from '../../domain/ports/store.ts';
import type { Turn } from '../../domain/turn.ts';
import { appendAudit } from '../audit/audit-store.ts';
import { NOW, type Trx } from '../database.ts';
import { toJson } from '../json.ts';
import { touchMessages } from '../owed.ts';
import { toPause } from '../rows/pause-row.ts';
import { toRun } from '../rows/run-row.ts';

/** `actorId` is null for the policy's own refusal; `policyDigest` names the policy that allowed an approval. */
type Recorded = { decision: Decision; turn: Turn; actorId: string | null; at: Date; policyDigest?: string };

/** Decides a locked, open pause: the run goes back to `queued` with the decision as its last user turn. */
export async function recordDecision(
  trx: Trx,
  pause: Pause,
  recorded: Recorded,
): Promise<Extract<PauseVerdict, { kind: 'decided' }>> {
  const decided = await trx
    .updateTable('pauses')
    .set({
      state: 'decided',
      decision: toJson(recorded.decision),
      decided_by: recorded.actorId,
      decided_at: recorded.at,
    })
    .where('id', '=', pause.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const run = await trx
    .updateTable('runs')
    .set({
      state: 'queued',
      queued_at: NOW,
      enqueued_at: null,
      turns: sql<string>`turns || ${toJson([recorded.turn])}::jsonb`,
    })
    .where('id', '=', pause.runId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await touchMessages(trx, [...pauseOperations(pause.id), statusOperation(pause.runId)]);
  await appendAudit(trx, [decidedEntry(pause, recorded)]);
  return { kind: 'decided', pause: toPause(decided), run: toRun(run) };
}

function decidedEntry(pause: Pause, { decision, actorId, policyDigest }: Recorded): AuditEntry {
  return {
    kind: 'decided',
    runId: pause.runId,
    pauseId: pause.id,
    actorId,
    reason: decision.kind === 'payment' ? decision.verdict : decision.source,
    details: { decision, termsDigest: pause.termsDigest, ...(policyDigest !== undefined && { policyDigest }) },
  };
}
