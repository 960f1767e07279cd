import type { Decision } from '../domain/pause.ts';
import type { Turn } from '../domain/turn.ts';

/** A decision as the planner hears it: the last user message of the resume, in plain words (contract C22). */
export function decisionTurn(decision: Decision): Turn {
  return { role: 'user', content: decision.answer };
}
