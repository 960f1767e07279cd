import { assertNever } from '../domain/assert-never.ts';
import type { Card } from '../domain/card.ts';
import type { Plan } from '../domain/plan.ts';
import type { LegOutcome, PlannerEvent } from '../domain/planner-event.ts';
import type { ApprovalWithheld } from '../domain/ports/approval-judge.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { LegRequest, Planner } from '../domain/ports/planner.ts';
import type { Telemetry } from '../domain/ports/telemetry.ts';
import type { FailureCode } from '../domain/run.ts';
import { foldPlan } from '../plan/fold-plan.ts';
import { fromPlan, toPlan } from '../plan/plan-state.ts';

/** A planner retry that people may see while it waits. */
export type Retry = { attempt: number; waitMs: number; code: FailureCode };

/** What a leg has brought so far. */
export type LegProgress = { plan: () => Plan; text: string; retry: Retry | null };

/**
 * How a leg ended: by itself, from outside (the signal's reason tells), or before it began, because its approval was
 * withheld.
 */
export type LegResult = { outcome: LegOutcome | { kind: 'aborted' } | ApprovalWithheld; plan: Plan; text: string };

type DriveInput = {
  request: LegRequest;
  /** The run's plan before this leg; a resumed stream goes on from it. */
  plan: Plan;
  signal: AbortSignal;
  /** Called after each event that brought something; `shown` says whether the status message is about it. */
  onProgress: (progress: LegProgress, shown: boolean) => void;
  /** Called at each event that shows that the planner works on: it has heard what it was told. */
  onGoingOn: () => void;
  /** Called with each card that only informs. */
  onCard: (card: Card) => void;
};

/** Sends one planner request and folds its stream. The cost of an event does not depend on the size of the plan. */
export async function driveLeg(
  deps: { planner: Planner; telemetry: Telemetry; logger: Logger },
  input: DriveInput,
): Promise<LegResult> {
  let state = fromPlan(input.plan);
  let outcome: LegResult['outcome'] = { kind: 'aborted' };
  const progress: LegProgress = { plan: () => toPlan(state), text: '', retry: null };

  function apply(event: PlannerEvent): void {
    switch (event.type) {
      case 'opened':
        progress.retry = null;
        break;
      case 'retrying':
        progress.retry = { attempt: event.attempt, waitMs: event.waitMs, code: event.code };
        deps.logger.info({ attempt: event.attempt, waitMs: event.waitMs, reason: event.reason }, 'planner_retrying');
        break;
      case 'plan-delta':
        state = foldPlan(state, event.delta);
        break;
      case 'text-delta':
        progress.text += event.text;
        break;
      case 'card':
        input.onCard(event.card);
        return;
      case 'skipped':
        deps.telemetry.deltaSkipped();
        deps.logger.warn({ reason: event.reason }, 'planner_event_skipped');
        return;
      case 'end':
        outcome = event.outcome;
        logFailure(deps.logger, event.outcome);
        return;
      default:
        assertNever(event);
    }
    if (goesOn(event)) input.onGoingOn();
    // Text is for the answer: redrawing the status message for it would spend edits on nothing new.
    input.onProgress(progress, event.type !== 'text-delta');
  }

  deps.telemetry.streamOpened();
  try {
    for await (const event of deps.planner.openLeg(input.request, input.signal)) apply(event);
  } finally {
    deps.telemetry.streamClosed();
  }
  return { outcome, plan: progress.plan(), text: progress.text };
}

/** Words, or a plan that does not just ask for something again. */
function goesOn(event: PlannerEvent): boolean {
  if (event.type === 'text-delta') return true;
  return event.type === 'plan-delta' && !event.delta.status?.trim().toLowerCase().endsWith('_requested');
}

/** Why a leg failed or was cut, for the operator; people are told a fixed sentence (contract C30). */
function logFailure(logger: Logger, outcome: LegOutcome): void {
  if (outcome.kind === 'failed') logger.warn({ failure: outcome.code, detail: outcome.detail }, 'leg_failed');
  if (outcome.kind === 'cut') logger.warn({ failure: 'stream_cut', detail: outcome.detail }, 'leg_failed');
}
