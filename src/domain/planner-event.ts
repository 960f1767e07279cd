import type { Card } from './card.ts';
import type { PauseRequest } from './pause.ts';
import type { FailureCode } from './run.ts';
import type { ToolCall } from './turn.ts';

/** A partial update of one task. An absent or undefined field says nothing; the plan keeps what it had. */
export type TaskDelta = {
  key: string;
  status?: string | undefined;
  title?: string | undefined;
  agent?: string | undefined;
  agentsFound?: string[] | undefined;
  message?: string | undefined;
  reply?: string | undefined;
  error?: string | undefined;
  tool?: string | undefined;
};

/** A partial update of one phase. */
export type PhaseDelta = {
  key: string;
  status?: string | undefined;
  title?: string | undefined;
  reasoning?: string | undefined;
  tasks?: TaskDelta[] | undefined;
};

/**
 * A partial update of the plan, already read through the planner's table of aliases. Its form is to be relied on, and
 * its texts say something; their length is not bounded, nor the number of entries.
 */
export type PlanDelta = { status?: string | undefined; phases?: PhaseDelta[] | undefined };

/**
 * How a leg ended.
 *
 * - `finished`: the stream ended in order; what it said is the answer.
 * - `paused`: it waits for a person.
 * - `tool-calls`: it waits for tool results.
 * - `cut`: it ended without saying that it had (contract C27); what arrived is partial.
 * - `failed`: the planner refused or reported an error. `detail` is for the log, redacted, and never for Slack.
 */
export type LegOutcome =
  | { kind: 'finished' }
  | { kind: 'paused'; request: PauseRequest }
  | { kind: 'tool-calls'; calls: ToolCall[] }
  | { kind: 'cut'; detail: string }
  | { kind: 'failed'; code: FailureCode; detail: string };

/**
 * What a planner's stream says, one piece at a time. The last event of a leg is always `end`.
 *
 * - `opened`: the planner accepted the request and the stream is open.
 * - `retrying`: the request certainly did not reach the planner and goes out again after `waitMs` (contract C28);
 *   `code` says why, `reason` in words for the log.
 * - `card`: a card that only informs; it is shown, and nothing waits for it.
 * - `skipped`: an event that could not be read was counted and left out.
 */
export type PlannerEvent =
  | { type: 'opened' }
  | { type: 'retrying'; attempt: number; waitMs: number; code: FailureCode; reason: string }
  | { type: 'plan-delta'; delta: PlanDelta }
  | { type: 'text-delta'; text: string }
  | { type: 'card'; card: Card }
  | { type: 'skipped'; reason: string }
  | { type: 'end'; outcome: LegOutcome };
