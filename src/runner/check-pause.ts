import { reminderOperation } from '../domain/outbox.ts';
import type { Pause } from '../domain/pause.ts';
import type { Run } from '../domain/run.ts';
import { reminderText } from '../presenter/reminder.ts';
import type { RunnerParts } from './context.ts';
import { ledgerEntryOf } from './payments/ledger-entry-of.ts';
import { presentPayment } from './payments/payment-standing.ts';
import { postNotice } from './post-notice.ts';
import { showPromoted, showRun } from './show-change.ts';

const BATCH = 200;

/** A pause whose moment has come: reminds of what waits, expires what waited too long. Harmless when there is none. */
export async function checkPause(deps: RunnerParts, runId: string): Promise<void> {
  await expirePause(deps, runId);
  await remindAll(deps);
}

/** Expires a run's overdue pause: its card says so, its thread goes on. */
export async function expirePause(deps: RunnerParts, runId: string): Promise<void> {
  const { expired, promotedRunId } = await deps.store.pauses.expire(runId, deps.now());
  if (!expired) return;
  deps.logger.info({ runId }, 'pause_expired');
  await showRun(deps, runId);
  await showPromoted(deps, promotedRunId);
}

/** Reminds of every pause of which two thirds of the time are over, once. */
export async function remindAll(deps: RunnerParts): Promise<void> {
  for (const waiting of await deps.store.pauses.needingReminder(deps.now(), BATCH)) await remind(deps, waiting);
}

async function remind(deps: RunnerParts, { pause, run }: { pause: Pause; run: Run }): Promise<void> {
  const entry = await ledgerEntryOf(deps, pause);
  const approversText = entry && (await presentPayment(deps, entry)).approversText;
  const text = reminderText({ pause, run, approversText });
  await postNotice(deps, run.thread, {
    operationId: reminderOperation(pause.id),
    text,
    runId: run.id,
    pauseId: pause.id,
  });
}
