import { once } from 'node:events';
import { statusOperation } from '../domain/outbox.ts';
import type { MessageContent, StatusWriter } from '../domain/ports/chat.ts';
import type { ClaimedLeg, Leg } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';
import type { ToolCall, Turn } from '../domain/turn.ts';
import { statusMessage } from '../presenter/status-message.ts';
import { fileProblemsText } from '../presenter/texts.ts';
import { concludeLeg, endRun } from './conclude-leg.ts';
import type { RunnerParts } from './context.ts';
import { buildConversation, toPlannerTurn } from './conversation.ts';
import { driveLeg, type LegProgress, type LegResult } from './drive-leg.ts';
import type { AbortReason, LiveLeg } from './live-legs.ts';
import { createProgressSaver } from './progress-saver.ts';
import { untilStored } from './until-stored.ts';

/** More than any plan needs (the planner has 15 rounds), few enough that a planner in a loop is noticed. */
const MAX_TOOL_ROUNDS = 10;

/** A request that itself ends each process that takes it must not come back for ever. */
const MAX_EPOCH_TO_REQUEUE = 5;

/**
 * Handles a leg job: starts the run's next leg and sees it to its end.
 *
 * A job is only a hint (design.md: the database is the truth): one that comes twice or too late does nothing.
 */
export async function runLeg(deps: RunnerParts, runId: string): Promise<void> {
  const claimed = await deps.store.runs.claimLeg(runId, deps.settings.owner);
  if (!claimed) return;
  // Claimed while the process began to stop: nothing has been sent yet.
  if (deps.liveLegs.isClosed && (await deps.store.runs.releaseLeg(claimed.leg))) return;
  await conductLeg(deps, claimed);
}

/**
 * Sees to a run whose process went silent. One whose request had not left goes back to the queue; all others end, as
 * nothing is sent again by itself (contract C28, C29).
 */
export async function closeLostLeg(deps: RunnerParts, leg: Leg): Promise<void> {
  // Ours, and silent only because the database was away.
  if (deps.liveLegs.has(leg.runId)) return;
  const run = await deps.store.runs.get(leg.runId);
  if (!run) return;
  if (leg.epoch <= MAX_EPOCH_TO_REQUEUE && (await deps.store.runs.releaseLeg(leg))) {
    return deps.enqueuer.addById(leg.runId);
  }
  await endRun(
    deps,
    { leg, run },
    run.stopRequestedBy === null ? { state: 'interrupted', failure: 'process_lost' } : { state: 'stopped' },
  );
}

async function conductLeg(deps: RunnerParts, claimed: ClaimedLeg): Promise<void> {
  const { run } = claimed;
  const logger = deps.logger.child({ runId: run.id, leg: claimed.leg.epoch });
  const live = deps.liveLegs.open(claimed.leg);
  const timer = setTimeout(() => live.abort('timeout'), Math.max(0, deps.settings.runTimeoutMs - run.activeMs));
  const ended = new AbortController();
  const writer = deps.chat.openStatus({
    channelId: run.thread.channelId,
    ts: deps.sender.posted(statusOperation(run.id), ended.signal),
  });
  let leg = claimed.leg;
  try {
    logger.info('leg_started');
    const stage: Stage = { deps: { ...deps, logger }, claimed, live, writer };
    const last = await driveRounds(stage, (next) => {
      leg = next;
    });
    await writer.close();
    // Ending a run takes several statements. Whoever stopped it does not wait for the acks of others.
    if (!live.signal.aborted) await Promise.race([deps.giveWay(), once(live.signal, 'abort')]);
    const done = { leg, run, result: last, abortReason: abortReason(live) };
    await untilStored(() => concludeLeg({ ...deps, logger }, done), { logger, givesUp: () => deps.liveLegs.isClosed });
  } catch (error) {
    logger.error({ err: error }, 'leg_crashed');
    await writer.close();
    await endRun({ ...deps, logger }, { leg, run }, { state: 'interrupted', failure: 'internal' });
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
async function driveRounds(stage: Stage, onLeg: (leg: Leg) => void): Promise<LegResult> {
  const { deps, claimed, live } = stage;
  const conversation = await buildConversation(deps.chat, claimed);
  if (claimed.leg.epoch === 1) await reportFileProblems(deps, claimed.run, conversation.problems);
  let { leg } = claimed;
  let { plan } = claimed.run;
  for (let round = 0; ; round++) {
    const result = await driveOne(stage, { leg, plan, turns: conversation.turns });
    if (result.outcome.kind !== 'tool-calls' || round === MAX_TOOL_ROUNDS) return result;
    const turns = refusedCalls(result.text, result.outcome.calls);
    const next = await deps.store.runs.continueLeg(leg, turns);
    if (!next) return { ...result, outcome: { kind: 'aborted' } };
    live.moveTo(next);
    onLeg(next);
    leg = next;
    plan = result.plan;
    conversation.turns.push(...turns.map(toPlannerTurn));
  }
}

async function driveOne(
  stage: Stage,
  input: { leg: Leg; plan: Run['plan']; turns: Awaited<ReturnType<typeof buildConversation>>['turns'] },
): Promise<LegResult> {
  const { deps, claimed, live, writer } = stage;
  const nothingSent: LegResult = { outcome: { kind: 'aborted' }, plan: input.plan, text: '' };
  if (live.signal.aborted || !(await deps.store.runs.markSent(input.leg))) return nothingSent;
  const saver = createProgressSaver({
    runs: deps.store.runs,
    logger: deps.logger,
    leg: input.leg,
    onLost: () => live.abort('lost'),
  });
  writer.show(() => drawStatus(deps, claimed.run, { plan: () => input.plan, text: '', retry: null }));
  try {
    return await driveLeg(deps, {
      request: { sessionId: claimed.run.sessionId, turns: input.turns },
      plan: input.plan,
      signal: live.signal,
      onProgress(progress, shown) {
        if (shown) writer.show(() => drawStatus(deps, claimed.run, progress));
        saver.note(progress);
      },
    });
  } finally {
    await saver.close();
  }
}

function drawStatus(deps: RunnerParts, run: Run, progress: LegProgress): MessageContent {
  const plan = progress.plan();
  return statusMessage({ run, plan, ahead: 0, now: deps.now(), pause: null, retry: progress.retry });
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
  const operationId = `files-${run.id}`;
  await deps.store.outbox.add({
    operationId,
    kind: 'notice',
    channelId: run.thread.channelId,
    threadTs: run.thread.threadTs,
    runId: run.id,
    pauseId: null,
    part: 0,
    text: fileProblemsText(problems),
  });
  deps.sender.sendSoon(operationId);
}
