import type { PlannerEvent, ToolCall } from '../planner-event.ts';

/** A part of a user turn as the planner gets it; images as data URLs, because Slack's need a token. */
export type PlannerContent = { type: 'text'; text: string } | { type: 'image'; dataUrl: string };

export type PlannerTurn =
  | { role: 'user'; content: string | PlannerContent[] }
  | { role: 'assistant'; content: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; content: string };

/** One planner request. `turns` is the run's whole conversation so far (contract C22). */
export type LegRequest = { sessionId: string; turns: PlannerTurn[] };

export interface Planner {
  /**
   * Sends the request and reads its stream. Never throws for what a planner or network does: the last event says how
   * the leg ended. Aborting the signal ends the request at once; the iteration then just stops, without an `end`.
   */
  openLeg(request: LegRequest, signal: AbortSignal): AsyncIterable<PlannerEvent>;
}
