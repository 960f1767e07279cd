import { assertNever } from '../domain/assert-never.ts';
import { type NewOutboxMessage, notice, withheldOperation } from '../domain/outbox.ts';
import type { LedgerEntry } from '../domain/payment.ts';
import type { Leg, RunEnd } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';
import { withheldText } from '../presenter/texts.ts';
import { answerMessages } from './answer-messages.ts';
import type { RunnerParts } from './context.ts';
import type { LegResult } from './drive-leg.ts';
import { endRun } from './end-run.ts';
import type { AbortReason } from './live-legs.ts';
import { openPause } from './open-pause.ts';

/** A leg that is over, with the run it belongs to as claimed. */
type EndedLeg = { leg: Leg; run: Run; result: LegResult; abortReason: AbortReason | null };

/** Records how a leg ended and sees to what people are shown. Tool calls are not an end and never come here. */
export async function concludeLeg(deps: RunnerParts, ended: EndedLeg): Promise<void> {
  if (ended.abortReason === 'lost') return;
  const { outcome } = ended.result;
  // A question that had come by then is kept over a shutdown.
  const mayPause = ended.abortReason === null || ended.abortReason === 'shutdown';
  if (mayPause && outcome.kind === 'paused') return openPause(deps, ended, outcome.request);
  await endRun(deps, ended.leg, runEnd(ended));
}

function runEnd({ leg, run, result, abortReason }: EndedLeg): RunEnd {
  const kept = { plan: result.plan, answer: result.text };
  const { outcome } = result;
  // Whatever else befell the leg meanwhile; an answer that was complete by then is still one.
  if (abortReason === 'stop' && outcome.kind !== 'finished') return { ...kept, state: 'stopped' };
  switch (outcome.kind) {
    case 'finished':
      return { ...kept, state: 'completed', messages: answerMessages(run, result.text) };
    case 'failed':
      return { ...kept, state: 'failed', failure: outcome.code };
    case 'cut':
      return { ...kept, state: 'interrupted', failure: 'stream_cut' };
    case 'tool-calls':
      return { ...kept, state: 'failed', failure: 'too_many_tool_rounds' };
    case 'withheld':
      return {
        ...kept,
        state: 'interrupted',
        failure: 'approval_withheld',
        messages: [withheldNotice({ leg, run, ...outcome })],
      };
    case 'paused':
    case 'aborted':
      return { ...kept, ...abortedEnd(abortReason) };
    default:
      return assertNever(outcome);
  }
}

/** In the thread, so that whoever approved hears of it too. */
function withheldNotice(told: { leg: Leg; run: Run; entry: LedgerEntry; reason: string }): NewOutboxMessage {
  const { leg, run, entry, reason } = told;
  const operationId = withheldOperation(run.id, leg.epoch);
  return notice(run.thread, { operationId, text: withheldText({ entry, reason }), runId: run.id });
}

function abortedEnd(reason: AbortReason | null): Pick<RunEnd, 'state' | 'failure'> {
  switch (reason) {
    case 'stop':
      return { state: 'stopped' };
    case 'timeout':
      return { state: 'failed', failure: 'run_timeout' };
    case 'shutdown':
      return { state: 'interrupted', failure: 'process_stopped' };
    default:
      return { state: 'interrupted', failure: 'stream_cut' };
  }
}
