import type { JsonObject } from '../json.ts';

/**
 * What a person answered, as the planner understands it. `approve` says which of the accepted funds, from 0; `choice`
 * has the selection that came back from a card. Everything else is `words`, tool results and first requests too.
 */
export type Answer =
  | { says: 'approve'; option: number }
  | { says: 'decline' }
  | { says: 'choice'; selection: JsonObject }
  | { says: 'cancel' }
  | { says: 'words' };

export const ANSWER_WORDS = ['approve', 'decline', 'choice', 'cancel', 'words'] as const satisfies Array<
  Answer['says']
>;

/** An answer, or why it is none to what was asked. */
export type AnswerReading = { answer: Answer } | { fault: string };
