import type { Asked } from './asked.ts';
import { readCardAnswer } from './card-answer.ts';
import { readPaymentAnswer } from './payment-answer.ts';
import type { AnswerReading } from './reading.ts';

/** Reads the last user turn as the answer to what a leg asked. */
export function readAnswer(asked: Asked, text: string): AnswerReading {
  if (asked.kind === 'payment') return readPaymentAnswer(asked.request, text);
  if (asked.kind === 'card') return readCardAnswer(asked.card, text);
  return { answer: { says: 'words' } };
}
