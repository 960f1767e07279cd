import type { ActionResult } from '../domain/ports/run-commands.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { Run } from '../domain/run.ts';
import type { RunnerParts } from './context.ts';

/** Notes that somebody tried what only the run's requester may do, and says so. */
export async function refuseStranger(
  deps: Pick<RunnerParts, 'store'>,
  attempt: { kind: AuditEntry['kind']; run: Run; actorId: string; pauseId?: string },
): Promise<ActionResult> {
  const { kind, run, actorId, pauseId = null } = attempt;
  await deps.store.audit.append({ kind, runId: run.id, pauseId, actorId, reason: 'not the requester' });
  return { kind: 'not-allowed', allowedId: run.requesterId };
}
