import type { Decision } from '../domain/pause.ts';
import type { Run } from '../domain/run.ts';
import type { Turn } from '../domain/turn.ts';

/** Whether someone may answer a run's clarification: the person who asked for the run, and nobody else. */
export function mayAnswer({ run, actorId }: { run: Pick<Run, 'requesterId'>; actorId: string }): boolean {
  return run.requesterId === actorId;
}

/** A decision as the planner hears it: the last user message of the resume, in plain words (contract C22). */
export function decisionTurn(decision: Decision): Turn {
  return { role: 'user', content: decision.answer };
}
