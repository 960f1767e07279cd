import { assertNever } from '../domain/assert-never.ts';
import type { PauseKind } from '../domain/pause.ts';
import type { Plan } from '../domain/plan.ts';
import { isLive, type Run, type RunChoice } from '../domain/run.ts';
import { durationText, slackTime } from './text/time-text.ts';
import { mention } from './text/words.ts';

const CHOICES: Record<RunChoice['action'], string> = {
  start_over: 'Start over',
  close: 'Close',
};

/** The first eight characters of a run's id: enough to find it in a log. */
export function shortRunId(runId: string): string {
  return runId.slice(0, 8);
}

/** A run's state in words, for headlines and lists; `asked` is the kind of its newest pause, if that is known. */
export function stateWords(run: Run, asked: PauseKind | null = null): string {
  if (run.choice?.action === 'close') return 'Closed';
  switch (run.state) {
    case 'queued':
      return run.startedAt === null ? 'Queued' : 'Going on';
    case 'running':
      return 'Working';
    case 'paused':
      return asked === 'payment' ? 'Waiting for approval' : 'Waiting for an answer';
    case 'completed':
      return 'Done';
    case 'failed':
      return 'Failed';
    case 'stopped':
      return 'Stopped';
    case 'expired':
      return asked === 'payment' ? 'Expired without a decision' : 'Expired without an answer';
    case 'interrupted':
      return 'Interrupted';
    default:
      return assertNever(run.state);
  }
}

/** Who chose what to do about an ended run, and when. Our own mrkdwn. */
export function choiceWords({ actorId, action, at }: RunChoice): string {
  return `${mention(actorId)} chose *${CHOICES[action]}* at ${slackTime(at)}.`;
}

/** `3 of 7 tasks`, or null while there is no plan. */
export function progressWords(plan: Plan): string | null {
  return plan.tasksTotal === 0 ? null : `${plan.tasksDone} of ${plan.tasksTotal} tasks`;
}

/** Time since the run began (was asked for, while it waits in the queue), up to its end. */
export function elapsedWords(run: Run, now: Date): string {
  const from = run.startedAt ?? run.createdAt;
  const to = isLive(run.state) ? now : (run.endedAt ?? now);
  return durationText(to.getTime() - from.getTime());
}
