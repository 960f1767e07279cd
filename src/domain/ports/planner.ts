import type { PlannerEvent } from '../planner-event.ts';
import type { Turn } from '../turn.ts';

/** A part of a user turn as the planner gets it; images as data URLs, because Slack's need a token. */
export type PlannerContent = { type: 'text'; text: string } | { type: 'image'; dataUrl: string };

/** A turn as the planner gets it: a user's may hold images. */
export type PlannerTurn = Exclude<Turn, { role: 'user' }> | { role: 'user'; content: string | PlannerContent[] };

/**
 * One planner request. `turns` is the run's whole conversation so far (contract C22). `mayRepeat` is asked each time
 * before the request goes out once more; where it says no, it does not, and the leg stops without an `end`.
 */
export type LegRequest = { sessionId: string; turns: PlannerTurn[]; mayRepeat?: () => Promise<boolean> };

export interface Planner {
  /**
   * Sends the request and reads its stream. Never throws for what a planner or network does: the last event says how
   * the leg ended. What `mayRepeat` throws is passed on. Aborting the signal ends the request at once; the iteration
   * then just stops, without an `end`.
   */
  openLeg(request: LegRequest, signal: AbortSignal): AsyncIterable<PlannerEvent>;
}
