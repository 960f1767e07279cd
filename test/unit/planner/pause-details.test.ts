import { describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/planner/asi-one/json-record.ts';
import { createPauseDetails } from '../../../src/planner/asi-one/pause-details.ts';

const ASKED = { question: 'Shall I go on?', options: ['Yes'] };

function payment(description: string): JsonRecord {
  return { payment_request: { amount: '5', currency: 'USD', description } };
}

function card(title: string, isTerminal = false): JsonRecord {
  const payload = { title, summary_rows: [], approve_cta: { label: 'Book', selection: { action: 'confirm' } } };
  return { card: { card_kind: 'review', card_payload: payload, is_terminal: String(isTerminal) } };
}

/** A plan of one phase with these tasks. */
function plan(...tasks: JsonRecord[]): JsonRecord {
  return { type: 'plan_state', phases: { 0: { tasks: { ...tasks } } } };
}

function seen(...metadata: JsonRecord[]) {
  const details = createPauseDetails();
  metadata.forEach(details.see);
  return details;
}

describe('the details of a pause', () => {
  it('are the payment that a task asks for', () => {
    const details = seen(plan({ status: 'waiting_response', ...payment('report') }));
    expect(details.request('payment', ASKED)).toMatchObject({ kind: 'payment', terms: { description: 'report' } });
  });

  it('are the card that a task asks for', () => {
    expect(seen(plan(card('Book?'))).request('card', ASKED)).toMatchObject({ kind: 'card', card: { title: 'Book?' } });
  });

  it('are found in lists of phases and tasks too', () => {
    const details = seen({ phases: [{ tasks: [{}, payment('report')] }] });
    expect(details.request('payment', ASKED)).toMatchObject({ terms: { description: 'report' } });
  });

  it('come from beside the plan before they come from a task', () => {
    const details = seen({ ...plan(payment('task')), ...payment('plan') });
    expect(details.request('payment', ASKED)).toMatchObject({ terms: { description: 'plan' } });
  });

  it('are the latest seen', () => {
    const details = seen(plan(payment('first')), plan({}, payment('second')), plan({ status: 'waiting_response' }));
    expect(details.request('payment', ASKED)).toMatchObject({ terms: { description: 'second' } });
  });

  it('are those of an open task rather than of one that has ended', () => {
    const details = seen(plan(payment('open')), plan({}, { status: 'completed', ...payment('paid before') }));
    expect(details.request('payment', ASKED)).toMatchObject({ terms: { description: 'open' } });
  });

  it('are those of a task that has ended when there is no other', () => {
    const details = seen(plan({ status: 'completed', ...payment('asked at its end') }));
    expect(details.request('payment', ASKED)).toMatchObject({ terms: { description: 'asked at its end' } });
  });

  it('are forgotten when the pause is taken back', () => {
    const details = seen(plan(payment('report')), plan(card('Book?')));
    details.forget();
    expect(details.request('payment', ASKED)).toEqual({ kind: 'clarification', ...ASKED });
    expect(details.request('card', ASKED)).toEqual({ kind: 'clarification', ...ASKED });
  });

  it('fall back to the question when nothing can be read', () => {
    const details = seen(plan({ payment_request: 'please pay', card: { count: 3 } }));
    expect(details.request('payment', { question: null, options: [] })).toEqual({
      kind: 'clarification',
      question: null,
      options: [],
    });
    expect(details.request('card', ASKED)).toEqual({ kind: 'clarification', ...ASKED });
  });

  it('of a clarification are the question, whatever else the plan holds', () => {
    const details = seen(plan(payment('report')));
    expect(details.request('clarification', ASKED)).toEqual({ kind: 'clarification', ...ASKED });
  });

  it('never are a terminal card, which is a notice, told once', () => {
    const details = seen(plan(card('Booked', true)), plan(card('Booked', true)), plan(card('Sent', true)));
    expect(details.request('card', ASKED)).toEqual({ kind: 'clarification', ...ASKED });
    expect(details.notices().map(({ title }) => title)).toEqual(['Booked', 'Sent']);
  });

  it('are the last of an event that is full of them', () => {
    const tasks = Array.from({ length: 1_000 }, (_, i) => payment(`payment ${i}`));
    const notices = Array.from({ length: 1_000 }, (_, i) => card(`Notice ${i}`, true));
    const details = seen(plan(...tasks), plan(...notices));
    expect(details.request('payment', ASKED)).toMatchObject({ terms: { description: 'payment 999' } });
    expect(details.notices()).toHaveLength(10);
  });

  it('are kept from prototype keys and odd plans', () => {
    const hostile = JSON.parse('{"phases":{"__proto__":{"tasks":{"0":{"payment":{"amount":"1","currency":"USD"}}}}}}');
    const details = seen(hostile, { phases: 7 }, { phases: [null, { tasks: 'x' }] });
    expect(details.request('payment', ASKED)).toMatchObject({ kind: 'clarification' });
  });
});
