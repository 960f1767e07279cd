import type { KnownBlock } from '@slack/types';
import type { Pause } from '../domain/pause.ts';
import type { LedgerEntry } from '../domain/payment.ts';
import type { Plan } from '../domain/plan.ts';
import type { MessageContent } from '../domain/ports/chat.ts';
import { type FailureCode, isLive, isResumable, PLACES_KEPT_CURRENT, type Run } from '../domain/run.ts';
import { ACTION_IDS } from './action-ids.ts';
import { actions, button, context, section, weightedBytes } from './blocks.ts';
import { failureSentence } from './failure-text.ts';
import { LIMITS } from './limits.ts';
import { currentStep } from './plan/current-step.ts';
import { planBlocks, planSections } from './plan/plan-blocks.ts';
import { endSections } from './run-end.ts';
import { elapsedWords, progressWords, shortRunId, stateWords } from './run-words.ts';
import { escapeMrkdwn, escapeWithin } from './text/escape.ts';
import { label } from './text/label.ts';
import { durationText, slackTime, utcTime } from './text/time-text.ts';
import { mention, ordinal } from './text/words.ts';

/**
 * All that a status message shows. `run` is as new as its leg has it; `ahead` counts the unfinished runs before it in
 * its thread; `pause` is the run's newest, `payments` are its ledger entries in their order; `retry` is set while the
 * planner's request waits to go out again.
 */
export type StatusView = {
  run: Run;
  ahead: number;
  now: Date;
  pause: Pause | null;
  payments: readonly LedgerEntry[];
  retry: { attempt: number; waitMs: number; code: FailureCode } | null;
};

const SUMMARY_TEXT = 300;
const STEP = 150;
const AGENTS_SHOWN = 8;
const AGENT = 40;

/**
 * Draws a run's status message (contract C10–C12, C29, C30): state, progress, time, plan, agents, buttons. It fits
 * Slack's limits whatever the plan holds. `fallbackBlocks` shows the plan as sections.
 */
export function statusMessage(view: StatusView): MessageContent {
  const { run } = view;
  const { plan } = run;
  const head = [section(headline(view)), ...endSections(view)];
  const tail = [...agentsLine(plan), ...buttons(run), context(footer(run))];
  const planView = {
    plan,
    live: isLive(run.state),
    title: planTitle(view),
    maxBytes: LIMITS.message.weightedBytes - weightedBytes([...head, ...tail]),
  };
  return {
    text: escapeWithin(summary(view), SUMMARY_TEXT),
    blocks: [...head, ...planBlocks(planView), ...tail],
    fallbackBlocks: [...head, ...planSections(planView), ...tail],
  };
}

function headline(view: StatusView): string {
  const { run } = view;
  const facts = [`*${stateOf(view)}*`, progressWords(run.plan), elapsedWords(run, view.now)].filter(Boolean);
  const step = escapeMrkdwn(stepWords(view));
  return [facts.join(' · '), waitingLine(view) ?? step].filter(Boolean).join('\n');
}

function stateOf({ run, pause }: StatusView): string {
  return stateWords(run, pause?.request.kind ?? null);
}

/** A run's place in its thread; of a late one, which is not kept up to date, when that was so. */
function placeWords(ahead: number, nowText: string): string {
  const place = `${ordinal(ahead + 1)} in this thread`;
  const earlier = ahead === 1 ? 'the earlier run has' : 'the earlier runs have';
  return `${place}${ahead < PLACES_KEPT_CURRENT ? '' : ` at ${nowText}`}: it starts when ${earlier} ended.`;
}

/** Whom or what the run waits for, as our own mrkdwn; null when it is at work or over. */
function waitingLine({ run, pause, retry, ahead, now }: StatusView): string | null {
  if (run.state === 'paused') {
    const until = pause?.state === 'open' ? `, until ${slackTime(pause.deadlineAt)}` : '';
    return pausedLine({ run, pause, until });
  }
  if (run.state === 'queued' && run.startedAt === null && ahead > 0) {
    return placeWords(ahead, slackTime(now));
  }
  return retryWords({ run, retry });
}

function pausedLine({ run, pause, until }: Pick<StatusView, 'run' | 'pause'> & { until: string }): string {
  // Who may decide is the policy's matter, and stands on the card.
  if (pause?.request.kind === 'payment') return `Waiting for a decision on the payment below${until}.`;
  const what = pause?.request.kind === 'card' ? 'card' : 'question';
  return `Waiting for ${mention(run.requesterId)} to answer the ${what} below${until}.`;
}

function retryWords({ run, retry }: Pick<StatusView, 'run' | 'retry'>): string | null {
  if (run.state !== 'running' || !retry) return null;
  const wait = retry.waitMs < 1_000 ? 'a moment' : durationText(retry.waitMs);
  return `${failureSentence(retry.code)} Trying again in ${wait} (attempt ${retry.attempt}).`;
}

function stepWords({ run }: StatusView): string {
  if (run.state === 'queued') return run.startedAt === null ? 'Starts in a moment.' : 'Goes on in a moment.';
  if (run.state !== 'running') return '';
  const step = currentStep(run.plan, STEP);
  if (step) return `Now: ${step}`;
  // Between two steps nothing is under way: only text says that an answer is being written.
  if (run.answer === '') return run.plan.tasksTotal === 0 ? 'Planning.' : 'Planning the next step.';
  return 'Writing the answer.';
}

function planTitle(view: StatusView): string {
  const { run } = view;
  const step = run.state === 'running' ? currentStep(run.plan, STEP) : null;
  return [progressWords(run.plan) ?? stateOf(view), step].filter(Boolean).join(' · ');
}

/** What a screen reader or notification says; no markup. */
function summary(view: StatusView): string {
  const { run, pause, ahead } = view;
  const facts = [stateOf(view), progressWords(run.plan), elapsedWords(run, view.now)].filter(Boolean).join(', ');
  if (run.state === 'paused' && pause) return `${facts}. Open until ${utcTime(pause.deadlineAt)}.`;
  if (run.state === 'queued' && ahead > 0) return `${facts}. ${placeWords(ahead, utcTime(view.now))}`;
  if (run.state === 'failed' || run.state === 'interrupted') return `${facts}. ${failureSentence(run.failure)}`;
  const step = retryWords(view) ?? stepWords(view);
  return step === '' ? `${facts}.` : `${facts}. ${step}`;
}

function agentsLine(plan: Plan): KnownBlock[] {
  const names = new Set<string>();
  for (const phase of plan.phases) {
    for (const task of phase.tasks) {
      const name = label(task.agent, AGENT);
      if (name) names.add(name);
    }
  }
  if (names.size === 0) return [];
  const shown = [...names].slice(0, AGENTS_SHOWN).map(escapeMrkdwn);
  const more = names.size > AGENTS_SHOWN ? ` and ${names.size - AGENTS_SHOWN} more` : '';
  return [context(`Agents: ${shown.join(', ')}${more}`)];
}

function buttons(run: Run): KnownBlock[] {
  if (isLive(run.state)) {
    return [actions([button({ actionId: ACTION_IDS.stopRun, label: 'Stop', value: run.id, style: 'danger' })])];
  }
  if (run.choice) return [];
  const startOver = button({ actionId: ACTION_IDS.startOverRun, label: 'Start over', value: run.id });
  if (!isResumable(run)) return run.state === 'failed' || run.state === 'expired' ? [actions([startOver])] : [];
  const resume = button({ actionId: ACTION_IDS.resumeRun, label: 'Resume', value: run.id, style: 'primary' });
  return [actions([resume, startOver, button({ actionId: ACTION_IDS.closeRun, label: 'Close', value: run.id })])];
}

function footer(run: Run): string {
  return `Asked by ${mention(run.requesterId)} · run \`${escapeMrkdwn(shortRunId(run.id))}\``;
}
