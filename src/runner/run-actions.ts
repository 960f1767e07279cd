import { cardOperation, startedOverOperation, statusOperation } from '../domain/outbox.ts';
import type { ApprovalWithheld } from '../domain/ports/approval-judge.ts';
import type { ActionResult, ClickContext } from '../domain/ports/run-commands.ts';
import type { NewRun } from '../domain/ports/store.ts';
import { isRequester, type Run, type RunChoice } from '../domain/run.ts';
import { retoldApproval } from '../pause/payment-decision.ts';
import { startedOverText, withheldText } from '../presenter/texts.ts';
import type { RunnerParts } from './context.ts';
import { isShownAt } from './find-pause.ts';
import { withApprovalRecheck } from './payments/with-approval-recheck.ts';
import { postNotice } from './post-notice.ts';
import { showAdmitted } from './receive-request.ts';
import { noteRefusal, refuseStranger } from './refuse-click.ts';
import { showRun } from './show-change.ts';
import { stopRun } from './stop-run.ts';

/** Checks a click on a run's own buttons: where it was made, and that its requester made it. */
async function authoriseRun(
  deps: RunnerParts,
  input: { runId: string; click: ClickContext },
): Promise<{ kind: 'allowed'; run: Run } | ActionResult> {
  const { click } = input;
  const run = await deps.store.runs.get(input.runId);
  if (!run || run.thread.channelId !== click.channelId || !(await isRunMessage(deps, run, click.messageTs))) {
    return { kind: 'unknown' };
  }
  if (isRequester(run, click.actorId)) return { kind: 'allowed', run };
  return refuseStranger(deps, { run, actorId: click.actorId });
}

/** A run's buttons stand on its status message; "Start over" also on the card of its expired pause. */
async function isRunMessage(deps: RunnerParts, run: Run, messageTs: string | null): Promise<boolean> {
  if (await isShownAt(deps, statusOperation(run.id), messageTs)) return true;
  const pause = await deps.store.pauses.latestOf(run.id);
  return pause !== null && isShownAt(deps, cardOperation(pause.id), messageTs);
}

export async function stopByClick(deps: RunnerParts, runId: string, click: ClickContext): Promise<ActionResult> {
  const authorised = await authoriseRun(deps, { runId, click });
  if (authorised.kind !== 'allowed') return authorised;
  const stopped = await stopRun(deps, runId, click.actorId);
  return stopped ? { kind: 'accepted' } : { kind: 'already-over', run: authorised.run };
}

/** Goes on with an ended run, in its own session (contract C29). */
export async function resumeByClick(deps: RunnerParts, runId: string, click: ClickContext): Promise<ActionResult> {
  const authorised = await authoriseRun(deps, { runId, click });
  if (authorised.kind !== 'allowed') return authorised;
  const { actorId } = click;
  // It may be long since the approval was allowed: Slack is asked anew about those who gave it.
  const resumed = await withApprovalRecheck(deps, {
    approversTrustedForMs: 0,
    write: (recheck) => deps.store.runs.resume(runId, { ...recheck, actorId, retell: retoldApproval }),
  });
  if (resumed.kind === 'over') return alreadyOver(deps, authorised.run);
  if (resumed.kind === 'withheld') return refuseResume(deps, { withheld: resumed, actorId });
  deps.logger.info({ runId }, 'run_resumed');
  showAdmitted(deps, resumed.run);
  await showRun(deps, runId);
  return { kind: 'accepted' };
}

/** The run stays as it was, and may be resumed once the policy allows its approval again. */
async function refuseResume(
  deps: RunnerParts,
  { withheld, actorId }: { withheld: ApprovalWithheld; actorId: string },
): Promise<ActionResult> {
  const { entry, reason } = withheld;
  await noteRefusal(deps, { runId: entry.runId, pauseId: entry.pauseId, actorId, reason });
  return { kind: 'refused', reason: withheldText({ entry, reason }) };
}

/** Start over or Close, one of them and once (contract C29). */
export async function chooseByClick(
  deps: RunnerParts,
  input: { runId: string; action: RunChoice['action']; click: ClickContext },
): Promise<ActionResult> {
  const authorised = await authoriseRun(deps, input);
  if (authorised.kind !== 'allowed') return authorised;
  const { run } = authorised;
  const choice = { action: input.action, actorId: input.click.actorId, at: deps.now() };
  const successor = input.action === 'start_over' ? successorOf(deps, run) : undefined;
  const chosen = await deps.store.runs.choose(run.id, choice, successor);
  if (!chosen) return alreadyOver(deps, run);
  deps.logger.info({ runId: run.id, action: input.action }, 'run_choice_made');
  await showRun(deps, run.id);
  if (chosen.successor) {
    await sayWhatWasApproved(deps, run, input.click.actorId);
    showAdmitted(deps, chosen.successor);
  }
  return { kind: 'accepted' };
}

/** A run that starts over may pay once more for what was paid before: the thread says so. */
async function sayWhatWasApproved(deps: RunnerParts, run: Run, actorId: string): Promise<void> {
  const payments = (await deps.store.ledger.entriesOf(run.id)).filter(({ approvedAt }) => approvedAt !== null);
  if (payments.length === 0) return;
  const text = startedOverText({ actorId, payments });
  await postNotice(deps, run.thread, { operationId: startedOverOperation(run.id), text, runId: run.id });
}

async function alreadyOver(deps: RunnerParts, run: Run): Promise<ActionResult> {
  return { kind: 'already-over', run: (await deps.store.runs.get(run.id)) ?? run };
}

/** The same request once more, as a run of its own with a fresh session. */
function successorOf(deps: RunnerParts, run: Run): NewRun {
  const { thread, requesterId, requestTs, text, files } = run;
  return {
    id: deps.createId(),
    sessionId: deps.createId(),
    requestKey: `start-over:${run.id}`,
    thread,
    requesterId,
    // Still the message that asked: deleting it stops this run too.
    requestTs,
    source: 'start_over',
    text,
    files,
  };
}
