import { describe, expect, it } from 'vitest';
import type { PlannerEvent } from '../../../../../src/domain/planner-event.ts';
import { dataLine, readBody, readChunks } from './stream-cases.ts';

const SECRET = 'cs_test_x_secret_abc';
const AGENT = 'agent1qfnjsuwnfc5wu8ju7kwezamc6t6tdngtfmw8jc3szxf8kkw7qujm5h5tdr9';

/** uAgents' `RequestPayment`, with what its metadata is known to hold. */
const REQUEST = {
  accepted_funds: [{ amount: '2.00', currency: 'USD', payment_method: 'stripe' }],
  recipient: AGENT,
  deadline_seconds: 300,
  reference: '3f0c',
  description: '$2.00 - full report',
  metadata: {
    service: 'report',
    stripe: { client_secret: SECRET, publishable_key: 'pk_test_51abcdef', id: 'cs_test_x', amount_cents: 200 },
  },
};
const TERMS = {
  payeeAddress: AGENT,
  askerAddress: null,
  options: [{ amount: '2.00', currency: 'USD', method: 'stripe' }],
  description: '$2.00 - full report',
  reference: '3f0c',
  deadlineSeconds: 300,
};

const PAYLOAD = {
  title: 'Book?',
  summary_rows: [{ label: 'Fare', value: '88 USD' }],
  approve_cta: { label: 'Book', selection: { action: 'confirm' } },
  reject_cta: { label: 'No', selection: { action: 'cancel' } },
};
const FLAT = {
  card_protocol_version: '1',
  requires_card_interaction: 'true',
  card_kind: 'review',
  card_payload: JSON.stringify(PAYLOAD),
};
const CARD = {
  cardKind: 'review',
  title: 'Book?',
  items: [{ type: 'row', label: 'Fare', value: '88 USD' }],
  choices: [
    { label: 'Book', selection: { action: 'confirm' } },
    { label: 'No', selection: { action: 'cancel' } },
  ],
};
/** The same with what the planner said beside it. */
const SPOKEN_CARD = { ...CARD, items: [{ type: 'text', text: 'Please look.' }, ...CARD.items] };

function planned(metadata: object): string {
  return dataLine({ choices: [], metadata: { type: 'plan_state', ...metadata } });
}

function status(planStatus: string): string {
  return planned({ plan_status: planStatus });
}

function tasks(...list: object[]): object {
  return { phases: { 0: { tasks: { ...list } } } };
}

function said(content: string): string {
  return dataLine({ choices: [{ index: 0, delta: { content } }] });
}

function read(...events: string[]): PlannerEvent[] {
  return readBody([...events, 'data: [DONE]\n\n'].join(''));
}

function outcome(events: readonly PlannerEvent[]): unknown {
  const last = events.at(-1);
  return last?.type === 'end' ? last.outcome : last;
}

function notices(events: readonly PlannerEvent[]): unknown[] {
  return events.flatMap((event) => (event.type === 'card' ? [event.card.title] : []));
}

/** Where something is shown, and the event that shows it there. */
type Case = [place: string, event: string];

/** An event that shows something, in each documented or likely place, beside the plan and in a task. */
function places(names: readonly string[], value: object): Case[] {
  const named = names.flatMap((name): Case[] => [
    [`a task's ${name}`, planned(tasks({}, { status: 'waiting_response', [name]: value }))],
    [`a task's ${name} as JSON text`, planned(tasks({ [name]: JSON.stringify(value) }))],
    [`a task's ${name} as a list`, planned(tasks({ [name]: [value] }))],
    [`the plan's ${name}`, planned({ [name]: value })],
    [`the plan's ${name} as JSON text`, planned({ [name]: JSON.stringify(value) })],
  ]);
  const [name = ''] = names;
  const holder = { [name]: value };
  return [
    ...named,
    ['a phase', planned({ phases: { 0: holder } })],
    ['a phase in a list', planned({ phases: [{ tasks: [holder] }] })],
    ['metadata of another type', dataLine({ choices: [], metadata: { type: name, ...holder } })],
    ['metadata as JSON text', dataLine({ choices: [], metadata: JSON.stringify(holder) })],
    ['metadata of a choice', dataLine({ choices: [{ index: 0, metadata: holder, delta: {} }] })],
    ['metadata of a delta', dataLine({ choices: [{ delta: { metadata: holder } }] })],
    ['metadata of a delta as JSON text', dataLine({ choices: [{ delta: { metadata: JSON.stringify(holder) } }] })],
    ['metadata of a message', dataLine({ choices: [{ message: { metadata: holder } }] })],
    ['a delta', dataLine({ choices: [{ delta: holder }] })],
    ['a choice', dataLine({ choices: [{ delta: {}, ...holder }] })],
    ['an event', dataLine({ choices: [], ...holder })],
  ];
}

const PAYMENT_NAMES = ['payment_request', 'payment', 'request_payment', 'payment_details'];
const CARD_NAMES = ['card', 'card_interaction', 'card_request', 'interaction'];
const UAGENTS = { card_id: '1', payload: PAYLOAD, is_terminal: false };

const payments: Case[] = [
  ...places(PAYMENT_NAMES, REQUEST),
  ['a task that is the request itself', planned(tasks(REQUEST))],
  ['metadata that is the request itself', dataLine({ choices: [], metadata: { type: 'payment_request', ...REQUEST } })],
];

const cards: Case[] = [
  ...places(CARD_NAMES, FLAT),
  ...places(CARD_NAMES, { card_kind: 'review', card_payload: PAYLOAD }),
  ...places(CARD_NAMES, UAGENTS).filter(([name]) => !name.includes('a list')),
  ["a task's metadata", planned(tasks({ metadata: FLAT }))],
  ['a task that is the card itself', planned(tasks(FLAT))],
  ['the plan itself', planned(FLAT)],
  ["a delta's parts", dataLine({ choices: [{ delta: { content: [{ type: 'metadata', metadata: FLAT }] } }] })],
];

const PAUSES = [
  {
    ...{ kind: 'payment', word: 'payment_requested', cases: payments },
    ...{ request: { kind: 'payment', terms: TERMS }, spoken: { kind: 'payment', terms: TERMS, said: 'Please look.' } },
  },
  {
    ...{ kind: 'card', word: 'card_interaction_requested', cases: cards },
    ...{ request: { kind: 'card', card: CARD }, spoken: { kind: 'card', card: SPOKEN_CARD } },
  },
] as const;

for (const { kind, word, cases, request, spoken } of PAUSES) {
  describe(`a ${kind} pause`, () => {
    it.each(cases)(`reads its ${kind} from %s, before and after the status`, (_name, event) => {
      expect(outcome(read(event, status(word)))).toMatchObject({ kind: 'paused', request });
      expect(outcome(read(status(word), event))).toMatchObject({ kind: 'paused', request });
      const events = [status('in_progress'), event, said('Please look.'), status(word), status(word)];
      expect(outcome(read(...events))).toMatchObject({ kind: 'paused', request: spoken });
    });

    it.each(cases)(`reads its ${kind} from %s split at every byte`, (_name, event) => {
      const bytes = new TextEncoder().encode(`${event}${status(word)}data: [DONE]\n\n`);
      const whole = readChunks([bytes]);
      expect(readChunks([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
    });

    it('says the same wherever its bytes are split once', () => {
      const [, event = ''] = cases[0] ?? [];
      const bytes = new TextEncoder().encode(`${event}${said('Schön 👋')}${status(word)}data: [DONE]\n\n`);
      const whole = readChunks([bytes]);
      for (let at = 1; at < bytes.length; at += 1) {
        expect(readChunks([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
      }
    });

    it('without anything to read is a question in the words of the leg, and says what was unread', () => {
      expect(outcome(read(said('It costs 2 USD.'), status(word)))).toEqual({
        kind: 'paused',
        request: { kind: 'clarification', question: 'It costs 2 USD.', options: [], unread: kind },
      });
      expect(outcome(read(status(word)))).toMatchObject({ request: { question: null, unread: kind } });
    });

    it('without anything to read asks what the pausing plan says', () => {
      const events = [planned({ plan_status: word, message: 'Pay 2 USD?', payment_request: 'soon', card: { a: 1 } })];
      expect(outcome(read(...events))).toMatchObject({ request: { question: 'Pay 2 USD?', unread: kind } });
    });

    it('that is withdrawn is none, and what it was about is forgotten', () => {
      const [, event = ''] = cases[0] ?? [];
      expect(outcome(read(event, status(word), status('in_progress'), said('Done.')))).toEqual({ kind: 'finished' });
      expect(outcome(read(event, status(word), status('in_progress'), status(word)))).toMatchObject({
        request: { kind: 'clarification', unread: kind },
      });
    });

    it('that is withdrawn and asked again is about what was shown again', () => {
      const [, event = ''] = cases[0] ?? [];
      const events = [event, status(word), status('in_progress'), event, status(word)];
      expect(outcome(read(...events))).toMatchObject({ request });
    });

    it('that is withdrawn by the event that shows the next is about the next', () => {
      const [, event = ''] = cases[0] ?? [];
      const withdrawn = event.replace('"type":"plan_state"', '"type":"plan_state","plan_status":"in_progress"');
      expect(withdrawn).not.toBe(event);
      expect(outcome(read(status(word), withdrawn, status(word)))).toMatchObject({ request });
    });

    it('ends a stream without [DONE] as a pause', () => {
      const [, event = ''] = cases[0] ?? [];
      expect(outcome(readBody(`${event}${status(word)}`))).toMatchObject({ kind: 'paused', request });
    });
  });
}

describe('a leg with several payments', () => {
  const other = { ...REQUEST, description: 'another' };

  it('is about the latest', () => {
    const events = [planned(tasks({ payment: REQUEST })), planned(tasks({}, { payment: other }))];
    expect(outcome(read(...events, status('payment_requested')))).toMatchObject({
      request: { terms: { description: 'another' } },
    });
  });

  it('is about that of an open task, though an ended one shows another later', () => {
    const ended = planned(tasks({}, { status: 'completed', payment: other }));
    const events = [planned(tasks({ status: 'waiting_response', payment: REQUEST })), ended];
    expect(outcome(read(...events, status('payment_requested')))).toMatchObject({
      request: { terms: { description: '$2.00 - full report' } },
    });
  });

  it('keeps to the kind of its pause', () => {
    const events = [planned(tasks({ payment: REQUEST, card: FLAT }))];
    expect(outcome(read(...events, status('payment_requested')))).toMatchObject({ request: { kind: 'payment' } });
    expect(outcome(read(...events, status('card_interaction_requested')))).toMatchObject({ request: { kind: 'card' } });
    expect(outcome(read(...events, status('clarification_requested')))).toEqual({
      kind: 'paused',
      request: { kind: 'clarification', question: null, options: [], unread: null },
    });
  });

  it('offers no button to answer terms that cannot be read', () => {
    const event = planned({ plan_status: 'payment_requested', question: 'Pay?', options: ['Yes'] });
    expect(outcome(read(event))).toMatchObject({ request: { question: 'Pay?', options: [], unread: 'payment' } });
  });
});

describe('what the planner says beside a card', () => {
  it('is not repeated where the card says it, and loses its secrets', () => {
    const asked = status('card_interaction_requested');
    expect(outcome(read(planned(tasks({ card: FLAT })), said(' Book? '), asked))).toMatchObject({
      request: { card: CARD },
    });
    const spoken = outcome(read(planned(tasks({ card: FLAT })), said('Use pi_1_secret_abc'), asked));
    expect(JSON.stringify(spoken)).toContain('Use [removed]');
  });
});

describe('a terminal card', () => {
  const booked = { ...FLAT, is_terminal: 'true', card_payload: JSON.stringify({ ...PAYLOAD, title: 'Booked' }) };
  const sent = { ...FLAT, is_terminal: 'true', card_payload: JSON.stringify({ ...PAYLOAD, title: 'Sent' }) };

  it('is told as soon as it is seen, once, in order', () => {
    const events = read(planned(tasks({ card: booked })), said('Hi'), planned(tasks({ card: booked }, { card: sent })));
    expect(events.map(({ type }) => type)).toEqual(['plan-delta', 'card', 'text-delta', 'plan-delta', 'card', 'end']);
    expect(notices(events)).toEqual(['Booked', 'Sent']);
    expect(outcome(events)).toEqual({ kind: 'finished' });
  });

  it('never pauses, whatever the status says', () => {
    const events = read(planned(tasks({ card: booked })), status('card_interaction_requested'));
    expect(outcome(events)).toEqual({ kind: 'finished' });
    expect(notices(events)).toEqual(['Booked']);
    const asking = { plan_status: 'card_interaction_requested', ...tasks({ card: booked }) };
    expect(outcome(read(planned(asking), said('It is booked.')))).toEqual({ kind: 'finished' });
  });

  it('beside a question is told, and the question pauses', () => {
    const asking = { plan_status: 'card_interaction_requested', question: 'Aisle?', ...tasks({ card: booked }) };
    expect(outcome(read(planned(asking)))).toMatchObject({ request: { question: 'Aisle?', unread: 'card' } });
    const unread = read(planned(tasks({ card: booked })), status('payment_requested'));
    expect(outcome(unread)).toMatchObject({ request: { kind: 'clarification', unread: 'payment' } });
  });

  it('beside a payment is told, and the payment pauses', () => {
    const events = read(planned(tasks({ card: booked, payment_request: REQUEST })), status('payment_requested'));
    expect(notices(events)).toEqual(['Booked']);
    expect(outcome(events)).toMatchObject({ kind: 'paused', request: { kind: 'payment', terms: TERMS } });
  });

  it('beside a card that waits is told, and the other one pauses', () => {
    const events = read(planned(tasks({ card: FLAT }, { card: booked })), status('card_interaction_requested'));
    expect(notices(events)).toEqual(['Booked']);
    expect(outcome(events)).toMatchObject({ request: { kind: 'card', card: { title: 'Book?' } } });
  });

  it.each(places(CARD_NAMES, booked))('is found in %s', (_name, event) => {
    expect(notices(read(event))).toEqual(['Booked']);
  });

  it('is told ten times a leg at most', () => {
    const event = (i: number) => {
      const payload = JSON.stringify({ ...PAYLOAD, title: `Card ${i}` });
      return planned(tasks({ card: { ...booked, card_payload: payload } }));
    };
    expect(notices(read(...Array.from({ length: 30 }, (_, i) => event(i))))).toHaveLength(10);
  });
});

/** Every key and text of a value, at any depth. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...wordsOf(inner)]);
}

describe('secrets of a payment', () => {
  const agentSays = { reply: JSON.stringify(REQUEST), message: { content: [{ type: 'text', text: `x ${SECRET}` }] } };
  const fallback = planned({ plan_status: 'payment_requested', ...tasks({ payment_request: { metadata: REQUEST } }) });

  it.each([
    ...payments.map(([name, event]) => [name, event] as const),
    ['what agents say', planned(tasks({ ...agentSays, error: SECRET, task: SECRET, agent: SECRET, agents: [SECRET] }))],
    ["a phase's reasoning", planned({ phases: { 0: { reasoning: [SECRET], title: SECRET, status: SECRET } } })],
    ['a request that cannot be read', fallback],
    ['a card', planned(tasks({ card: { ...FLAT, card_payload: { title: SECRET, secret: SECRET } } }))],
    ['a card of no kind', planned(tasks({ card: { card_kind: 'pay', card_payload: { a: { text: SECRET } } } }))],
  ] as const)('exist nowhere after reading %s', (_name, event) => {
    for (const word of ['payment_requested', 'card_interaction_requested']) {
      const words = wordsOf(read(event, status(word)));
      expect(words.length).toBeGreaterThan(3);
      for (const secret of ['secret_abc', 'pk_test', 'amount_cents', 'client_secret', 'checkout_session_id']) {
        expect(words.filter((one) => one.includes(secret))).toEqual([]);
      }
    }
  });
});
