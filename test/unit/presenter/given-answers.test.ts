import { describe, expect, it } from 'vitest';
import type { Clarification, Decision, PauseRequest } from '../../../src/domain/pause.ts';
import { decisionTurn } from '../../../src/pause/decision-turn.ts';
import { givenAnswers } from '../../../src/presenter/given-answers.ts';
import { aCard, aCardPause, anApproval, aPayment } from './money-factories.ts';

function inWords(answer: string): Decision {
  return { kind: 'clarification', answer, source: 'reply', requestKey: null };
}

function question(fields: Partial<Clarification> = {}): PauseRequest {
  return { kind: 'clarification', question: 'Which city?', options: [], unread: null, ...fields };
}

describe('the answers given in a run', () => {
  it('leave out decisions on payments, which the ledger tells of', () => {
    const { request } = aPayment();
    const declined: Decision = { kind: 'payment', verdict: 'decline', optionIndex: null, reason: 'Too dear' };
    const turns = [decisionTurn(request, anApproval()), decisionTurn(request, declined)];
    expect(givenAnswers([...turns, decisionTurn(question(), inWords('Paris'))])).toEqual(['Paris']);
  });

  it('are without the words that only the planner is to hear', () => {
    const turns = [
      decisionTurn(question({ question: 'Shall I pay?' }), inWords('Yes')),
      decisionTurn(question({ unread: 'payment' }), inWords('Ask for the price')),
    ];
    expect(givenAnswers(turns)).toEqual(['Yes', 'Ask for the price']);
  });

  it('are without the selection that agents read', () => {
    const { request } = aCardPause(aCard());
    const chosen = { label: 'Take it', selection: { id: 'v_1' }, text: null, isCancelled: false };
    const turn = decisionTurn(request, { kind: 'card', ...chosen, source: 'option', requestKey: null });
    expect(turn.content).toContain('Selection: {');
    expect(givenAnswers([turn]).join()).toMatch(/^I choose "Take it"[^{]*\.$/);
  });
});
