import type { Plan } from './plan.ts';
import type { ThreadRef } from './thread.ts';
import type { Turn } from './turn.ts';

export const RUN_STATES = [
  'queued',
  'running',
  'paused',
  'completed',
  'failed',
  'stopped',
  'expired',
  'interrupted',
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** States in which a run may still go on by itself, and can be stopped. */
export const LIVE_STATES = ['queued', 'running', 'paused'] as const satisfies readonly RunState[];

export function isLive(state: RunState): boolean {
  return (LIVE_STATES as readonly RunState[]).includes(state);
}

/**
 * Places in a thread's queue, its current run the first, that the thread shows as they are; of a later place it shows
 * when that was so. Otherwise each end would edit the status message of every run that waits.
 */
export const PLACES_KEPT_CURRENT = 5;

export const RUN_SOURCES = ['mention', 'direct_message', 'reply', 'command', 'start_over'] as const;
export type RunSource = (typeof RUN_SOURCES)[number];

/** Why a run failed or was interrupted. Each has one fixed sentence in the presenter (contract C30). */
export type FailureCode =
  | 'planner_key_refused'
  | 'planner_model_unknown'
  | 'planner_rate_limited'
  | 'planner_unavailable'
  | 'planner_error'
  | 'planner_too_large'
  | 'planner_idle'
  | 'run_timeout'
  | 'too_many_tool_rounds'
  | 'too_many_payments'
  | 'approval_withheld'
  | 'stream_cut'
  | 'process_stopped'
  | 'process_lost'
  | 'internal';

/** Failures after which the same request may well succeed: the planner did not take it, or gave up on it. */
const PASSING_FAILURES: ReadonlySet<FailureCode | null> = new Set([
  'planner_key_refused',
  'planner_model_unknown',
  'planner_rate_limited',
  'planner_unavailable',
  'planner_error',
  'planner_idle',
]);

/**
 * Whether a person may let an ended run go on: one that was interrupted, and one that failed for now after people had
 * answered its questions, so that their answers are not lost.
 */
export function isResumable(run: Pick<Run, 'state' | 'failure' | 'turns'>): boolean {
  if (run.state === 'interrupted') return true;
  const hasAnswers = run.turns.some((turn) => turn.role === 'user');
  return run.state === 'failed' && hasAnswers && PASSING_FAILURES.has(run.failure);
}

/** A file attached to a request, as Slack described it. Downloaded when a leg starts, never stored. */
export type RequestFile = {
  id: string;
  name: string;
  mimetype: string;
  sizeBytes: number;
  urlPrivateDownload: string | null;
  /** `true` when Slack says that the details must be fetched with `files.info` first (Slack Connect). */
  needsInfo: boolean;
};

/** What a person chose for an ended run, once. A resume is none: a run that is interrupted again asks again. */
export type RunChoice = { action: 'start_over' | 'close'; actorId: string; at: Date };

/** One execution for one request. Keeps its id through pauses and resumes. */
export type Run = {
  id: string;
  /** Unique per request: a second delivery of the same request finds this run (contract C5). */
  requestKey: string;
  /** The planner's `x-session-id`. A capability: never logged or shown. */
  sessionId: string;
  thread: ThreadRef;
  requesterId: string;
  /** ts of the message that asked, or null for a slash command. */
  requestTs: string | null;
  source: RunSource;
  text: string;
  files: RequestFile[];
  state: RunState;
  /** `true` for the one run of its thread that may run; others of the thread wait in order. */
  isCurrent: boolean;
  /** Number of the leg that may write to this run; 0 before the first. */
  epoch: number;
  plan: Plan;
  /** Turns after the request itself: paused assistant turns, answers of people, tool results. */
  turns: Turn[];
  /** The answer of a completed run; of any other run what had arrived, which is partial. */
  answer: string;
  failure: FailureCode | null;
  stopRequestedBy: string | null;
  choice: RunChoice | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  /** Time spent in legs so far, pauses not counted, in milliseconds. */
  activeMs: number;
};

/** The person who asked for a run, the only one who may answer its clarifications, stop it or use its buttons. */
export function isRequester(run: Pick<Run, 'requesterId'>, actorId: string): boolean {
  return run.requesterId === actorId;
}
