import { describe, expect, it } from 'vitest';
import { readCard } from '../../../../../src/planner/asi-one/card/card.ts';
import { readClarification } from '../../../../../src/planner/asi-one/pause/clarification.ts';
import { createPauseWatch } from '../../../../../src/planner/asi-one/pause/pause-watch.ts';
import { readPayment } from '../../../../../src/planner/asi-one/payment/payment.ts';
import { readPlanDelta } from '../../../../../src/planner/asi-one/stream/read-plan-delta.ts';

const NOTHINGS = ['undefined', 'null', 'NaN', '[object Object]', ' null\n'];

function cardOf(kind: string, payload: object) {
  return readCard({ card_kind: kind, card_payload: JSON.stringify(payload) })?.card;
}

describe.each(NOTHINGS)('a field of %j counts as missing', (nothing) => {
  it('in a question and its options', () => {
    const asked = readClarification({
      question: nothing,
      options: [nothing, 'Lyon', { label: nothing, value: 'Nice' }],
    });
    expect(asked).toEqual({ question: null, options: ['Lyon', 'Nice'] });
  });

  it('in what is said beside a question', () => {
    const watch = createPauseWatch();
    watch.seeStatus('clarification_requested');
    watch.seeQuestion({ question: 'Where to?', options: [] });
    expect(watch.request(nothing)).toMatchObject({ question: 'Where to?' });
  });

  it('in what a payment says of itself, and in an amount or currency', () => {
    const funds = { amount: '25', currency: 'USD', payment_method: nothing };
    const described = { description: nothing, reference: nothing, recipient: nothing, recipient_name: nothing };
    const accepted_funds = [funds, { ...funds, amount: nothing }, { ...funds, currency: nothing }];
    expect(readPayment({ payment_request: { ...described, accepted_funds } })).toMatchObject({
      payeeName: null,
      payeeAddress: null,
      askerAddress: null,
      description: null,
      reference: null,
      options: [{ amount: '25', currency: 'USD', method: 'fet_direct' }],
    });
  });

  it('on a card, and its choices and fields', () => {
    const review = { title: nothing, summary_rows: [{ label: nothing, value: '2' }], approve_cta: { label: nothing } };
    expect(cardOf('review', review)).toMatchObject({
      title: null,
      items: [{ type: 'text', text: '2' }],
      choices: [{ label: 'Approve' }],
      notUnderstood: [],
    });
    const field = { name: 'seat', label: nothing, placeholder: nothing, kind: 'text' };
    expect(cardOf('form', { fields: [field], submit_cta: nothing })).toMatchObject({
      choices: [{ label: 'Submit' }],
      fields: [{ label: 'seat', placeholder: null }],
      notUnderstood: [],
    });
  });

  it('in a plan', () => {
    const task = { task: nothing, title: 'Search', agent: nothing, reply: nothing };
    const [phase] = readPlanDelta({ phases: [{ title: nothing, tasks: [task] }] }).delta?.phases ?? [];
    expect(phase).toMatchObject({ title: undefined });
    expect(phase?.tasks?.[0]).toMatchObject({ title: 'Search', agent: undefined, reply: undefined });
  });
});

describe('such a word inside of a sentence', () => {
  it.each(['Is null allowed?', 'undefined is not a function', 'null and NaN', 'Null'])('stays: %j', (text) => {
    expect(readClarification({ question: text })?.question).toBe(text);
    expect(readPayment({ payment_request: { amount: '1', currency: 'USD', description: text } })?.description).toBe(
      text,
    );
    expect(cardOf('review', { title: text, approve_cta: { label: text } })).toMatchObject({
      title: text,
      choices: [{ label: text }],
    });
  });

  it('and as the value that an option sends back', () => {
    const options = [{ value: 'null', label: 'No preference' }];
    const [field] = cardOf('form', { fields: [{ name: 'seat', kind: 'select', options }] })?.fields ?? [];
    expect(field?.options).toEqual([{ value: 'null', label: 'No preference', detail: null }]);
  });
});
