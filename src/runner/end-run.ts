import { statusOperation } from '../domain/outbox.ts';
import type { Leg, RunEnd } from '../domain/ports/store.ts';
import type { RunnerParts } from './context.ts';
import { showPromoted, showRun, showStopped } from './show-change.ts';
import { untilStored } from './until-stored.ts';

/**
 * Ends a run under its leg, then shows it: the status message, the answer, and the thread's next run. Logged by the
 * run's own logger.
 */
export async function endRun(deps: RunnerParts, leg: Leg, end: RunEnd): Promise<void> {
  const { ended, promotedRunId } = await untilStored(deps, () => deps.store.runs.endLeg(leg, end));
  if (!ended) return;
  deps.logger.info({ leg: leg.epoch, state: end.state, failure: end.failure }, 'run_ended');
  // In this order, so that a status message which says that all is done stands beside an answer that is there.
  if (end.messages)
    deps.sender.sendSoon(...end.messages.map((message) => message.operationId), statusOperation(leg.runId));
  await (end.state === 'stopped' ? showStopped : showRun)(deps, leg.runId);
  await showPromoted(deps, promotedRunId);
}
