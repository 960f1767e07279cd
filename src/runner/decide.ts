import { pauseOperations, statusOperation } from '../domain/outbox.ts';
import type { Decision, Pause } from '../domain/pause.ts';
import type { ActionResult } from '../domain/ports/run-commands.ts';
import type { PauseVerdict } from '../domain/ports/store.ts';
import { decisionTurn } from '../pause/decision-turn.ts';
import type { RunnerParts } from './context.ts';
import { ledgerEntryOf } from './payments/ledger-entry-of.ts';

type DecideInput = { pause: Pause; decision: Decision; termsDigest: string | null; actorId: string };

/**
 * Takes a decision: durable first, then shown, then on its way to the planner (contract C20–C22). Of any number of
 * decisions on one pause, one is accepted.
 */
export async function decide(deps: RunnerParts, input: DecideInput): Promise<ActionResult> {
  const { pause, decision, termsDigest, actorId } = input;
  const at = deps.now();
  const turn = decisionTurn(pause.request, decision);
  const verdict = await deps.store.pauses.decide({ pauseId: pause.id, termsDigest, decision, turn, actorId, at });
  return concludeDecision(deps, { pause, at, verdict });
}

/** Shows what came of a decision, and sends the run on its way if it was taken. */
export async function concludeDecision(
  deps: RunnerParts,
  decided: { pause: Pause; at: Date; verdict: PauseVerdict },
): Promise<ActionResult> {
  const { pause, at, verdict } = decided;
  switch (verdict.kind) {
    case 'unknown':
      return { kind: 'unknown' };
    case 'terms-changed':
      return { kind: 'terms-changed', pause: verdict.pause };
    case 'not-open':
      return notOpenResult(deps, verdict.pause);
    case 'decided':
      deps.telemetry.decisionTook(at.getTime() - pause.openedAt.getTime());
      deps.logger.info({ runId: pause.runId, pauseId: pause.id, kind: pause.request.kind }, 'pause_decided');
      for (const operationId of pauseOperations(pause.id)) deps.sender.sendSoon(operationId);
      deps.sender.sendSoon(statusOperation(pause.runId));
      deps.enqueuer.add(verdict.run);
      return { kind: 'accepted' };
  }
}

/** What a person is told who decides too late. A pause whose deadline has passed is expired, swept or not. */
export async function notOpenResult(deps: Pick<RunnerParts, 'store'>, pause: Pause): Promise<ActionResult> {
  if (pause.state === 'decided') return { kind: 'already-decided', pause, approverIds: await approversOf(deps, pause) };
  const run = pause.state === 'cancelled' ? await deps.store.runs.get(pause.runId) : null;
  return run ? { kind: 'already-over', run } : { kind: 'expired' };
}

/** All who approved a payment, which may have taken two. */
async function approversOf(deps: Pick<RunnerParts, 'store'>, pause: Pause): Promise<string[]> {
  const entry = await ledgerEntryOf(deps, pause);
  return entry?.approvedAt ? entry.approverIds : [];
}
