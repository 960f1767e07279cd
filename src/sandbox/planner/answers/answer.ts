import type { JsonObject } from '../json.ts';
import type { Asked } from './asked.ts';
import { readCardAnswer } from './card-answer.ts';
import { readPaymentAnswer } from './payment-answer.ts';

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

/** Reads the last user turn as the answer to what a leg asked. */
export function readAnswer(asked: Asked, text: string): AnswerReading {
  if (asked.kind === 'payment') return readPaymentAnswer(asked.request, text);
  if (asked.kind === 'card') return readCardAnswer(asked.card, text);
  return { answer: { says: 'words' } };
}
