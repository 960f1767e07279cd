import { expect, test } from 'vitest';
import { readAnswer } from '../../../../src/sandbox/planner/answers/answer.ts';
import { type Asked, askedBy } from '../../../../src/sandbox/planner/answers/asked.ts';
import { createLegReport, noteEvent } from '../../../../src/sandbox/planner/leg-report.ts';
import { loadScenario } from '../../../../src/sandbox/planner/script-choice.ts';

const DESK = 'agent1qfnjsuwnfc5wu8ju7kwezamc6t6tdngtfmw8jc3szxf8kkw7qujm5h5tdr9';

/** What the first leg of a scenario asks. */
function asked(name: string): Asked {
  const report = createLegReport();
  for (const step of loadScenario(name).scenario.legs[0] ?? []) {
    if ('plan' in step) noteEvent(report, { metadata: { type: 'plan_state', ...step.plan } });
  }
  return askedBy(report);
}

test.each([
  ['I approve the payment of 2.00 USD by stripe to "Report Desk" at ', { says: 'approve', option: 0 }],
  ['I approve the payment of 8.000000000000000001 FET by fet_direct to ', { says: 'approve', option: 1 }],
  ['I decline the payment of 2.00 USD. My reason: "I approve nothing today". To ', { says: 'decline' }],
])('the answer %j to a payment is understood', (words, answer) => {
  expect(readAnswer(asked('payment-options'), `${words}${DESK}.`)).toEqual({ answer });
});

test.each([
  [`Yes, pay 2.00 USD to ${DESK}`, 'neither approves nor declines'],
  ['I approve the payment of 2.00 USD to Report Desk', `does not name the payee ${DESK}`],
  [`I approve the payment to ${DESK}`, 'names none of 2.00 USD, 8.000000000000000001 FET'],
  [`I approve the payment of 2 USD to ${DESK}`, 'names none'],
  [`I approve the payment of 12.00 USD to ${DESK}`, 'names none'],
  [`I approve the payment of 8 FET to ${DESK}`, 'names none'],
  [`I approve the payment of 2.00 USDC to ${DESK}`, 'names none'],
  [`I approve 2.00 USD or 8.000000000000000001 FET to ${DESK}`, 'more than one way to pay'],
  [`I decline the payment to ${DESK}`, 'names none'],
])('the answer %j to a payment is refused', (words, fault) => {
  expect(readAnswer(asked('payment-options'), words)).toEqual({ fault: expect.stringContaining(fault) });
});

test.each([
  ['card-carousel', '{"offer_id":"off_2","action":"select"}'],
  ['card-carousel-object', '{"id":"off_3"}'],
  ['card-detail', '{"offer_id":"off_2","action":"continue","cabin":"business"}'],
  ['card-detail-flat', '{"cabin":"economy","offer_id":"off_2","action":"back"}'],
  [
    'card-form',
    '{"action":"submit","offer_id":"off_2","full_name":"Ada","bags":2,"email":"ada@example.com","terms":true}',
  ],
  [
    'card-form-object',
    '{"action":"submit","offer_id":"off_2","full_name":"Ada","bags":0,"email":"a@b.co","seat":"aisle","terms":true}',
  ],
  ['card-review', '{"action":"confirm","offer_id":"off_1"}'],
  ['card', '{"action":"reject","offer_id":"off_1"}'],
  ['card-custom', '{"show":"none","guests":2,"dish":"fish, rice"}'],
  ['card-hostile', '{"n":3,"note":"\\u003c/x\\u003e \\"quoted\\" Selection: {\\"n\\":1}"}'],
])('a selection that %s offers is understood: %s', (name, json) => {
  const text = `I choose "x" on the card "{y}". Selection: ${json}`;
  expect(readAnswer(asked(name), text)).toEqual({ answer: { says: 'choice', selection: JSON.parse(json) } });
});

test.each([
  ['card-carousel', '{"offer_id":"off_2"}', 'does not hold the offered'],
  ['card-carousel', '{"offer_id":"off_9","action":"select"}', 'does not hold the offered "offer_id"'],
  ['card-carousel', '{"offer_id":"off_1","action":"select","price":"1"}', 'nothing on the card is called "price"'],
  ['card-carousel', '{"offer_id":["off_1"],"action":"select"}', 'no plain value'],
  ['card-detail', '{"offer_id":"off_2","action":"continue"}', '"cabin" is required'],
  ['card-detail', '{"offer_id":"off_2","action":"continue","cabin":"first"}', 'must be one of economy, business'],
  ['card-form', '{"action":"submit","offer_id":"off_2","bags":"2"}', '"full_name" is required'],
  ['card-custom', '{"show":"fado","guests":"2"}', '"guests" must be a number'],
  ['card-broken-payload', '{"action":"confirm"}', 'nothing on the card'],
  ['card-unknown-kind', '{"side":"front"}', 'nothing on the card'],
])('a selection that %s does not offer is refused: %s', (name, json, fault) => {
  expect(readAnswer(asked(name), `Selection: ${json}`)).toEqual({ fault: expect.stringContaining(fault) });
});

test.each([
  ['I cancel the card. I choose nothing on it.', { answer: { says: 'cancel' } }],
  ['the first one {please}', { answer: { says: 'words' } }],
  ['I choose "Select"', { fault: 'the choice has no selection' }],
])('the answer %j to a card is read as what it is', (words, reading) => {
  expect(readAnswer(asked('card-carousel'), words)).toEqual(reading);
});

test.each(['card-terminal', 'payment-unread', 'payment-silent', 'card-unread', 'clarify-options'])(
  '%s asks for words, and takes any',
  (name) => {
    expect(readAnswer(asked(name), 'whatever')).toEqual({ answer: { says: 'words' } });
  },
);
