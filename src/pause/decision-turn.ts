import { assertNever } from '../domain/assert-never.ts';
import type { Decision, PauseRequest } from '../domain/pause.ts';
import type { Turn } from '../domain/turn.ts';
import { answerWords } from './approval-words.ts';
import { cardDecisionText } from './card-decision.ts';
import { paymentDecisionText } from './payment-decision.ts';

/**
 * A decision as the planner hears it: the last user message of the resume, in plain words (contract C22).
 *
 * @throws {TypeError} when the decision is not of the request's kind
 */
export function decisionTurn(request: PauseRequest, decision: Decision): Turn {
  return { role: 'user', content: decisionText(request, decision) };
}

function decisionText(request: PauseRequest, decision: Decision): string {
  switch (request.kind) {
    case 'clarification':
      if (decision.kind !== 'clarification') break;
      if (request.unread === 'payment') return `${NO_APPROVAL} ${decision.answer}`;
      return answerWords(decision.answer, request.question ?? '');
    case 'payment':
      if (decision.kind !== 'payment') break;
      return paymentDecisionText({ ...decision, terms: request.terms });
    case 'card':
      if (decision.kind !== 'card') break;
      return cardDecisionText({ ...decision, card: request.card });
    default:
      return assertNever(request);
  }
  throw new TypeError(`A ${decision.kind} cannot answer a ${request.kind}`);
}

/** Free text never approves a payment (contract C18), also where the terms of one could not be read. */
const NO_APPROVAL =
  'I approve no payment: the terms of the payment you ask for could not be read here, and nothing that follows is an approval.';
