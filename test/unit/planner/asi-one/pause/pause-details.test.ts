import { describe, expect, it } from 'vitest';
import type { Card } from '../../../../../src/domain/card.ts';
import { createPauseDetails } from '../../../../../src/planner/asi-one/pause/pause-details.ts';
import type { JsonRecord } from '../../../../../src/planner/asi-one/values/json-record.ts';

function payment(description: string): JsonRecord {
  return { payment_request: { amount: '5', currency: 'USD', description } };
}

function card(title: string, isTerminal = false): JsonRecord {
  const payload = { title, summary_rows: [], approve_cta: { label: 'Book', selection: { action: 'confirm' } } };
  return { card: { card_kind: 'review', card_payload: payload, is_terminal: String(isTerminal) } };
}

/** A plan of one phase with these tasks, by their place. */
function plan(...tasks: JsonRecord[]): JsonRecord {
  return { type: 'plan_state', phases: { 0: { tasks: { ...tasks } } } };
}

/** A plan of one phase with one task, at this place. */
function taskAt(place: number, task: JsonRecord): JsonRecord {
  return { type: 'plan_state', phases: { 0: { tasks: { [place]: task } } } };
}

function seen(...metadata: JsonRecord[]) {
  const details = createPauseDetails();
  const notices: Card[] = metadata.flatMap(details.see);
  return { details, notices, payment: details.payment()?.description, card: details.card()?.title };
}

describe('the details of a pause', () => {
  it('are the payment that a task asks for', () => {
    expect(seen(plan({ status: 'waiting_response', ...payment('report') })).payment).toBe('report');
  });

  it('are the card that a task asks for', () => {
    expect(seen(plan(card('Book?'))).card).toBe('Book?');
  });

  it('are found in lists of phases and tasks, and in a phase itself', () => {
    expect(seen({ phases: [{ tasks: [{}, payment('report')] }] }).payment).toBe('report');
    expect(seen({ phases: { 0: payment('report') } }).payment).toBe('report');
  });

  it('come from beside the plan before they come from a task', () => {
    expect(seen({ ...plan(payment('task')), ...payment('plan') }).payment).toBe('plan');
  });

  it('are the latest seen', () => {
    const events = [plan(payment('first')), plan({}, payment('second')), plan({ status: 'waiting_response' })];
    expect(seen(...events).payment).toBe('second');
    expect(seen(payment('plan'), taskAt(3, payment('task'))).payment).toBe('task');
  });

  it('are those of an open task rather than of one that has ended', () => {
    const events = [plan(payment('open')), plan({}, { status: 'completed', ...payment('paid before') })];
    expect(seen(...events).payment).toBe('open');
  });

  it('are not those of a task that ended in a later event', () => {
    const events = [taskAt(0, payment('open')), taskAt(1, payment('paid')), taskAt(1, { status: 'completed' })];
    expect(seen(...events).payment).toBe('open');
  });

  it('are not those of a task that had ended in an earlier event', () => {
    const events = [taskAt(1, { status: 'failed' }), taskAt(0, payment('open')), taskAt(1, payment('late'))];
    expect(seen(...events).payment).toBe('open');
  });

  it('are those of a task that was opened again', () => {
    const ended = { status: 'completed', ...payment('again') };
    expect(seen(taskAt(0, payment('other')), taskAt(1, ended), taskAt(1, { status: 'pending' })).payment).toBe('again');
  });

  it('are those of a task that has ended when there is no other', () => {
    expect(seen(plan({ status: 'completed', ...payment('asked at its end') })).payment).toBe('asked at its end');
  });

  it('name the agent that the task named in an earlier event', () => {
    const agent = { name: 'Parcel Desk', address: 'agent1qparcel' };
    const { details } = seen(taskAt(0, { agent }), taskAt(0, { status: 'waiting_response' }), taskAt(0, payment('x')));
    expect(details.payment()).toMatchObject({ payeeName: 'Parcel Desk', payeeAddress: 'agent1qparcel' });
  });

  it('name no agent of another task', () => {
    const { details } = seen(taskAt(0, { agent: 'Parcel Desk' }), taskAt(1, payment('x')));
    expect(details.payment()).toMatchObject({ payeeName: null, payeeAddress: null });
  });

  it('are forgotten when the pause is taken back', () => {
    const { details } = seen(plan(payment('report')), plan(card('Book?')));
    details.forget();
    expect([details.payment(), details.card()]).toEqual([null, null]);
  });

  it('are none when nothing can be read', () => {
    expect(seen(plan({ payment_request: 'please pay', card: { count: 3 } }))).toMatchObject({
      payment: undefined,
      card: undefined,
    });
  });

  it('never are a terminal card, which is a notice, told once', () => {
    const { card: waiting, notices } = seen(
      plan(card('Booked', true)),
      plan(card('Booked', true)),
      plan(card('Sent', true)),
    );
    expect(waiting).toBeUndefined();
    expect(notices.map(({ title }) => title)).toEqual(['Booked', 'Sent']);
  });

  it('are the last of an event that is full of them, and notices are bounded', () => {
    const tasks = Array.from({ length: 1_000 }, (_, i) => payment(`payment ${i}`));
    const cards = Array.from({ length: 1_000 }, (_, i) => card(`Notice ${i}`, true));
    const { payment: last, notices } = seen(plan(...tasks), plan(...cards));
    expect(last).toBe('payment 999');
    expect(notices).toHaveLength(10);
  });

  it('are kept from prototype keys and odd plans', () => {
    const hostile = JSON.parse('{"phases":{"__proto__":{"tasks":{"0":{"payment":{"amount":"1","currency":"USD"}}}}}}');
    expect(seen(hostile, { phases: 7 }, { phases: [null, { tasks: 'x' }] }).details.payment()).toBeNull();
  });
});
