import { assertNever } from '../domain/assert-never.ts';
import { answerOperation, type NewOutboxMessage, notice, runMessage } from '../domain/outbox.ts';
import type { Run } from '../domain/run.ts';
import { cutAnswer, noAnswerText } from '../presenter/answer.ts';

/** The messages that hold a run's answer, in their order. */
export function answerMessages(run: Run, answer: string): NewOutboxMessage[] {
  const cut = cutAnswer(answer);
  const operationId = answerOperation(run.id, 0);
  switch (cut.kind) {
    case 'none':
      return [notice(run.thread, { operationId, text: noAnswerText(), runId: run.id })];
    case 'file':
      return [runMessage(run, { operationId, kind: 'file' })];
    case 'pieces':
      return cut.pieces.map((text, part) =>
        runMessage(run, {
          operationId: answerOperation(run.id, part),
          kind: 'answer',
          part,
          parts: cut.pieces.length,
          text,
        }),
      );
    default:
      return assertNever(cut);
  }
}
