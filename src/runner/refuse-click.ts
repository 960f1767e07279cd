import type { AuditEntry } from '../domain/audit.ts';
import type { ActionResult } from '../domain/ports/run-commands.ts';
import type { Run } from '../domain/run.ts';
import type { RunnerParts } from './context.ts';

/** Writes down that somebody tried what was not allowed, or came too late (contract C20). */
export async function noteRefusal(
  deps: Pick<RunnerParts, 'store'>,
  refusal: Pick<AuditEntry, 'runId' | 'pauseId' | 'actorId' | 'reason'>,
): Promise<void> {
  await deps.store.audit.append({ kind: 'click_refused', ...refusal });
}

/** Notes that somebody tried what only the run's requester may do, and says so. */
export async function refuseStranger(
  deps: Pick<RunnerParts, 'store'>,
  attempt: { run: Run; actorId: string; pauseId?: string },
): Promise<ActionResult> {
  const { run, actorId, pauseId = null } = attempt;
  await noteRefusal(deps, { runId: run.id, pauseId, actorId, reason: 'not the requester' });
  return { kind: 'not-allowed', allowedId: run.requesterId };
}

/** What came of a click on a pause: a result, or what its modal opens with. */
export type PauseResult = ActionResult | { kind: 'open' };

/** What the audit trail says of results that were not written down where they came about. */
const REASONS: Partial<Record<PauseResult['kind'], string>> = {
  'already-decided': 'decided before',
  expired: 'the deadline has passed',
  'terms-changed': 'the terms had changed',
  'already-over': 'the run is over',
};

/** Writes down a click on a pause that came to nothing, and passes its result on. */
export async function withRefusalNoted<Result extends PauseResult>(
  deps: Pick<RunnerParts, 'store'>,
  click: { pauseId: string; actorId: string },
  result: Result,
): Promise<Result> {
  const reason = refusalReason(result);
  if (reason === undefined) return result;
  const pause = await deps.store.pauses.get(click.pauseId);
  if (pause) await noteRefusal(deps, { runId: pause.runId, pauseId: pause.id, actorId: click.actorId, reason });
  return result;
}

function refusalReason(result: PauseResult): string | undefined {
  return result.kind === 'refused' ? result.reason : REASONS[result.kind];
}
