import { cardOperation, statusOperation } from '../domain/outbox.ts';
import type { PauseRequest } from '../domain/pause.ts';
import { NOTHING_SPENT } from '../domain/payment.ts';
import type { Leg, NewPause, PausedLeg } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';
import { decisionTurn } from '../pause/decision-turn.ts';
import { pausedWords } from '../pause/paused-words.ts';
import { termsDigest } from '../pause/terms-digest.ts';
import { pauseDeadline, reminderTime } from '../pause/times.ts';
import { evaluatePayment } from '../policy/evaluate.ts';
import { questionText } from '../presenter/clarification/question.ts';
import type { RunnerParts } from './context.ts';
import type { LegResult } from './drive-leg.ts';
import { endRun } from './end-run.ts';
import { untilStored } from './until-stored.ts';

/** A question is wanted soon, whatever keeps the status message. */
const STATUS_WITHIN_MS = 1_000;

/** Puts what a leg asks in front of a person; the run waits, and its job ends. */
export async function openPause(
  deps: RunnerParts,
  { leg, run, result }: { leg: Leg; run: Run; result: LegResult },
  request: PauseRequest,
): Promise<void> {
  const pause = newPause(deps, request);
  const { plan } = result;
  const turns = [{ role: 'assistant' as const, content: saidTurn(result.text, request) }];
  const paused = { pause, plan, turns, ...askPolicy(deps, { run, request }) };
  if (paused.declined && (await isAskingOnAndOn(deps, run.id))) {
    return endRun(deps, leg, { state: 'failed', failure: 'too_many_payments', plan, answer: result.text });
  }
  const opened = await untilStored(deps, () => deps.store.runs.pauseLeg(leg, paused));
  // Refused when somebody asked for a stop meanwhile, or the leg is another process's by now.
  if (!opened) return endRun(deps, leg, { state: 'stopped', plan, answer: result.text });
  deps.logger.info({ leg: leg.epoch, pauseId: pause.id, kind: request.kind }, 'run_paused');
  await statusStands(deps, leg.runId);
  deps.sender.sendSoon(cardOperation(pause.id));
  deps.sender.sendSoon(statusOperation(leg.runId));
  if (paused.declined) return deps.enqueuer.addById(leg.runId);
  await addChecks(deps, leg.runId, pause);
}

/** A planner can ask before the run's first message is posted; the card comes after it, unless Slack takes its time. */
async function statusStands(deps: RunnerParts, runId: string): Promise<void> {
  const late = AbortSignal.timeout(STATUS_WITHIN_MS);
  await deps.sender.posted(statusOperation(runId), late).catch((error: unknown) => {
    deps.logger.debug({ err: error }, 'card_before_status');
  });
}

function newPause(deps: RunnerParts, request: PauseRequest): NewPause {
  const openedAt = deps.now();
  const deadlineAt = pauseDeadline(openedAt, { request, ttlMs: deps.settings.pauseTtlMs });
  return { id: deps.createId(), request, termsDigest: termsDigest(request), openedAt, deadlineAt };
}

/** No person slows down a planner whose payments the policy declines, and each of them is a card in the thread. */
const MAX_DECLINED = 10;

async function isAskingOnAndOn({ store }: RunnerParts, runId: string): Promise<boolean> {
  const declined = (await store.ledger.entriesOf(runId)).filter(({ state }) => state === 'declined');
  return declined.length >= MAX_DECLINED;
}

/**
 * How many people a payment takes, or the policy's refusal of it. What was spent does not matter yet: a cap refuses an
 * approval and never declines.
 */
function askPolicy(
  deps: RunnerParts,
  { run, request }: { run: Run; request: PauseRequest },
): Pick<PausedLeg, 'approversNeeded' | 'declined'> {
  if (request.kind !== 'payment') return {};
  const standing = evaluatePayment({
    policy: deps.policy(),
    terms: request.terms,
    option: null,
    requesterId: run.requesterId,
    channelId: run.thread.channelId,
    spentToday: NOTHING_SPENT,
  });
  if (standing.kind === 'needs-approval') {
    // An option that takes one person stays so beside one that takes two; each approval brings its own demand.
    return { approversNeeded: standing.options.every((option) => option.approversNeeded === 2) ? 2 : 1 };
  }
  const decision = { kind: 'payment', verdict: 'decline', optionIndex: null, reason: standing.reason } as const;
  // The planner is not to think that a person refused.
  const reason = `The payment policy of this workspace declines it, no person was asked: ${standing.reason}`;
  return { declined: { decision, turn: decisionTurn(request, { ...decision, reason }) } };
}

/**
 * The paused assistant turn. A question that came only as metadata, or was only to be guessed, is still what the
 * assistant said: a planner may refuse an empty turn, and needs to know what the answer is to.
 */
function saidTurn(text: string, request: PauseRequest): string {
  const isSaid = text.trim() !== '';
  if (request.kind !== 'clarification') return isSaid ? text : pausedWords(request);
  if (!isSaid) return questionText(request);
  return request.question === null || text.includes(request.question) ? text : request.question;
}

/** Looks at the pause when it is time to remind of it, and at its deadline. The sweep does the same, only later. */
async function addChecks(deps: RunnerParts, runId: string, pause: NewPause): Promise<void> {
  try {
    for (const moment of [reminderTime(pause), pause.deadlineAt]) {
      await deps.queue.addPauseCheck(runId, moment.getTime() - pause.openedAt.getTime());
    }
  } catch (error) {
    deps.logger.warn({ err: error }, 'pause_check_not_queued');
  }
}
