import { once } from 'node:events';
import { filesOperation, statusOperation } from '../domain/outbox.ts';
import type { Plan } from '../domain/plan.ts';
import type { MessageContent, StatusWriter } from '../domain/ports/chat.ts';
import type { PlannerTurn } from '../domain/ports/planner.ts';
import type { ClaimedLeg, RunStore } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';
import type { ToolCall, Turn } from '../domain/turn.ts';
import { statusMessage } from '../presenter/status-message.ts';
import { fileProblemsText } from '../presenter/texts.ts';
import { concludeLeg } from './conclude-leg.ts';
import type { RunnerParts } from './context.ts';
import { buildConversation } from './conversation.ts';
import { driveLeg, type LegProgress, type LegResult } from './drive-leg.ts';
import { endRun } from './end-run.ts';
import type { AbortReason, LiveLeg } from './live-legs.ts';
import { createRepeatCheck } from './payments/repeat-check.ts';
import { APPROVERS_TRUSTED_FOR_MS, withApprovalRecheck } from './payments/with-approval-recheck.ts';
import { createCardPoster } from './post-card.ts';
import { postNotice } from './post-notice.ts';
import { createProgressSaver } from './progress-saver.ts';
import { runLogger } from './run-logger.ts';
import { createSettler } from './settler.ts';

/** More than any plan needs (the planner has 15 rounds), few enough that a planner in a loop is noticed. */
const MAX_TOOL_ROUNDS = 10;

/**
 * Handles a leg job: starts the run's next leg and sees it to its end.
 *
 * A job is only a hint (the database is the truth): one that comes twice or too late does nothing.
 */
export async function runLeg(deps: RunnerParts, runId: string): Promise<void> {
  const claimed = await deps.store.runs.claimLeg(runId, deps.settings.owner);
  if (!claimed) return;
  // Claimed while the process began to stop: nothing has been sent yet.
  if (deps.liveLegs.isClosed && (await deps.store.runs.releaseLeg(claimed.leg))) return;
  await conductLeg(deps, claimed);
}

async function conductLeg(deps: RunnerParts, claimed: ClaimedLeg): Promise<void> {
  const { run } = claimed;
  const logger = runLogger(deps.logger, run);
  const ours = { ...deps, logger };
  const live = deps.liveLegs.open(claimed.leg);
  const timer = setTimeout(() => live.abort('timeout'), Math.max(0, deps.settings.runTimeoutMs - run.activeMs));
  const ended = new AbortController();
  const writer = deps.chat.openStatus({
    channelId: run.thread.channelId,
    ts: deps.sender.posted(statusOperation(run.id), ended.signal),
  });
  try {
    logger.info({ leg: live.leg.epoch }, 'leg_started');
    const result = await driveRounds({ deps: ours, claimed, live, writer });
    await writer.close();
    // Ending a run takes several statements. Whoever stopped it does not wait for the acks of others.
    if (!live.signal.aborted) await Promise.race([deps.giveWay(), once(live.signal, 'abort')]);
    await concludeLeg(ours, { leg: live.leg, run, result, abortReason: abortReason(live) });
  } catch (error) {
    logger.error({ leg: live.leg.epoch, err: error }, 'leg_crashed');
    await writer.close();
    await endRun(ours, live.leg, { state: 'interrupted', failure: 'internal' });
  } finally {
    ended.abort();
    clearTimeout(timer);
    live.close();
  }
}

function abortReason(live: LiveLeg): AbortReason | null {
  return live.signal.aborted ? (live.signal.reason as AbortReason) : null;
}

type Stage = { deps: RunnerParts; claimed: ClaimedLeg; live: LiveLeg; writer: StatusWriter };

/** Drives leg after leg while the planner asks for tools; the result of the last one. */
async function driveRounds(stage: Stage): Promise<LegResult> {
  const { deps, claimed, live } = stage;
  const conversation = await buildConversation(deps.chat, claimed);
  if (live.leg.epoch === 1) await reportFileProblems(deps, claimed.run, conversation.problems);
  let { plan } = claimed.run;
  for (let round = 0; ; round++) {
    const result = await driveOne(stage, { plan, turns: conversation.turns, isClaimed: round === 0 });
    if (result.outcome.kind !== 'tool-calls' || round === MAX_TOOL_ROUNDS) return result;
    const turns = refusedCalls(result.text, result.outcome.calls);
    const next = await deps.store.runs.continueLeg(live.leg, turns);
    if (!next) return { ...result, outcome: { kind: 'aborted' } };
    live.moveTo(next);
    plan = result.plan;
    conversation.turns.push(...turns);
  }
}

type Round = { plan: Plan; turns: PlannerTurn[]; isClaimed: boolean };

async function driveOne(stage: Stage, input: Round): Promise<LegResult> {
  const { deps, live } = stage;
  const { isClaimed } = input;
  const sending = await withApprovalRecheck(deps, {
    approversTrustedForMs: APPROVERS_TRUSTED_FOR_MS,
    async write(recheck): ReturnType<RunStore['markSent']> {
      // Somebody may also stop the run while Slack is asked who approved.
      return live.signal.aborted ? { kind: 'lost' } : deps.store.runs.markSent(live.leg, { ...recheck, isClaimed });
    },
  });
  if (sending.kind === 'sent') return driveSent(stage, input);
  return { outcome: sending.kind === 'lost' ? { kind: 'aborted' } : sending, plan: input.plan, text: '' };
}

/** Sends the leg's request, which is marked as sent, and follows its stream to the end. */
async function driveSent(stage: Stage, input: Round): Promise<LegResult> {
  const { deps, claimed, live, writer } = stage;
  const { leg } = live;
  const logger = deps.logger.child({ leg: leg.epoch });
  const ours = { ...deps, logger };
  const saver = createProgressSaver({ runs: deps.store.runs, logger, leg, onLost: () => live.abort('lost') });
  const settler = createSettler(ours, leg);
  const cards = createCardPoster(ours, claimed.run);
  const repeatCheck = input.isClaimed && carriesDecision(claimed.run) ? createRepeatCheck(ours, leg) : null;
  const show = (progress: LegProgress) => writer.show(() => drawStatus(deps, claimed.run, progress));
  show({ plan: () => input.plan, text: '', retry: null });
  try {
    const result = await driveLeg(ours, {
      request: {
        sessionId: claimed.run.sessionId,
        turns: input.turns,
        ...(repeatCheck && { mayRepeat: repeatCheck.ask }),
      },
      plan: input.plan,
      signal: live.signal,
      onProgress(progress, isShown) {
        if (isShown) show(progress);
        saver.note(progress);
      },
      onGoingOn() {
        if (carriesDecision(claimed.run)) settler.begin();
      },
      onCard: cards.post,
    });
    const withheld = repeatCheck?.withheld();
    return withheld ? { ...result, outcome: withheld } : result;
  } finally {
    await Promise.all([saver.close(), settler.close(), cards.close()]);
  }
}

/** Only such a leg can tell of a payment; all others are spared the transactions. */
function carriesDecision({ turns }: Run): boolean {
  return turns.at(-1)?.role === 'user';
}

/** The run as its leg has it so far: what is stored is older. */
function drawStatus({ now }: RunnerParts, run: Run, { plan, text, retry }: LegProgress): MessageContent {
  const running = { ...run, plan: plan(), answer: text };
  return statusMessage({ run: running, ahead: 0, now: now(), pause: null, payments: [], retry });
}

/** Every call is answered, as the planner's protocol demands; no tools are offered, so with an error. */
function refusedCalls(text: string, calls: readonly ToolCall[]): Turn[] {
  return [
    { role: 'assistant', content: text, toolCalls: [...calls] },
    ...calls.map(
      (call): Turn => ({
        role: 'tool',
        toolCallId: call.id,
        content: JSON.stringify({ error: `There is no tool named "${call.name}" here. Go on without it.` }),
      }),
    ),
  ];
}

async function reportFileProblems(deps: RunnerParts, run: Run, problems: readonly string[]): Promise<void> {
  if (problems.length === 0) return;
  const message = { operationId: filesOperation(run.id), text: fileProblemsText(problems), runId: run.id };
  await postNotice(deps, run.thread, message);
}
