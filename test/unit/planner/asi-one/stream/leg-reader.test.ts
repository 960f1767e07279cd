import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PlannerEvent } from '../../../../../src/domain/planner-event.ts';
import { ALIASES } from '../../../../../src/planner/asi-one/values/aliases.ts';
import { dataLine, readBody, readChunks, readStreamCases, textOf } from './stream-cases.ts';

const cases = readStreamCases();

/** Words that say something: what is absent, blank or of another form says nothing. */
const words = z.string().regex(/\S/);
const said = { key: z.string(), status: words.optional(), title: words.optional() };
const taskDelta = z.strictObject({
  ...said,
  agent: words.optional(),
  agentsFound: z.array(words).optional(),
  message: words.optional(),
  reply: words.optional(),
  error: words.optional(),
  tool: words.optional(),
});
const planDelta = z.strictObject({
  status: words.optional(),
  phases: z
    .array(z.strictObject({ ...said, reasoning: words.optional(), tasks: z.array(taskDelta).optional() }))
    .optional(),
});

function outcomeOf(events: readonly PlannerEvent[]): object | undefined {
  const last = events.at(-1);
  return last?.type === 'end' ? last.outcome : undefined;
}

describe('a stream of the planner', () => {
  it.each(cases)('$name', ({ body, text, skipped, outcome, deltas }) => {
    const events = readBody(body);
    expect(textOf(events)).toBe(text);
    expect(outcomeOf(events)).toMatchObject(outcome);
    expect(events.filter((event) => event.type === 'skipped')).toHaveLength(skipped);
    expect(events.filter((event) => event.type === 'end')).toHaveLength(1);
    if (deltas) expect(events.flatMap((event) => (event.type === 'plan-delta' ? [event.delta] : []))).toEqual(deltas);
  });

  it('says the same however its bytes are split', () => {
    const split = fc.record({
      body: fc.constantFrom(...cases.map((example) => example.body)),
      cuts: fc.array(fc.nat(), { maxLength: 40 }),
    });
    fc.assert(
      fc.property(split, ({ body, cuts }) => {
        expect(readChunks(cutBytes(body, cuts))).toEqual(readBody(body));
      }),
      { numRuns: 400 },
    );
  });

  it('says the same byte by byte', () => {
    for (const { body } of cases) {
      const bytes = new TextEncoder().encode(body);
      expect(readChunks([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(readBody(body));
    }
  });

  const anyEvent = fc.oneof(
    fc.jsonValue({ maxDepth: 5 }),
    fc.record({ choices: fc.jsonValue(), metadata: fc.jsonValue() }),
    fc.record({
      choices: fc.array(fc.record({ delta: fc.jsonValue(), message: fc.jsonValue(), finish_reason: fc.jsonValue() })),
      metadata: fc.record({
        plan_status: fc.jsonValue(),
        clarification: fc.jsonValue(),
        phases: fc.dictionary(fc.string(), fc.dictionary(fc.constantFrom('tasks', 'status', 'title'), fc.jsonValue())),
      }),
    }),
  );

  it('never throws and always ends, whatever JSON it brings', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        expect(readBody(events.map(dataLine).join('')).at(-1)?.type).toBe('end');
      }),
    );
  });

  it('gives deltas of the promised form, whatever its plan holds', () => {
    const names = Object.values(ALIASES).flat();
    const value = fc.oneof(
      fc.constantFrom(' ', 'Find', [' '], [{ text: '\n' }], { content: [{ type: 'text', text: ' ' }] }, { ' ': 1 }),
      fc.dictionary(fc.constantFrom(...ALIASES.text, ...ALIASES.agentLabel), fc.jsonValue({ maxDepth: 1 })),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const fields = fc.dictionary(fc.constantFrom('status', ...names), value);
    const map = <T>(entry: fc.Arbitrary<T>) =>
      fc.oneof(fc.array(entry, { maxLength: 4 }), fc.dictionary(fc.constantFrom('0', '1', '__proto__', ' '), entry));
    const task = fc.oneof(fields, fc.jsonValue({ maxDepth: 1 }));
    const phase = fc.oneof(
      fc.tuple(fields, map(task)).map(([said, tasks]) => ({ ...said, tasks })),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const plan = fc.record({ plan_status: value, phases: map(phase) });
    fc.assert(
      fc.property(plan, (metadata) => {
        for (const event of readBody(dataLine({ choices: [], metadata }))) {
          if (event.type === 'plan-delta') planDelta.parse(event.delta);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a hostile stream', () => {
  it('with JSON of depth 200 is read past', () => {
    const deep = `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`;
    const phases = `${'{"0":'.repeat(200)}{}${'}'.repeat(200)}`;
    const body = `data: ${deep}\n\ndata: {"choices":[],"metadata":{"type":"plan_state","phases":${phases}}}\n\n`;
    expect(textOf(readBody(`${body}${dataLine({ choices: [{ delta: { content: 'Hi' } }] })}`))).toBe('Hi');
  });

  it('with JSON of depth 500,000 is read past', () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
    const call = `{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"b","arguments":{"c":${deep}}}}]}}]}`;
    const task = `{"choices":[],"metadata":{"phases":{"0":{"reasoning":${deep},"tasks":{"0":{"message":${deep}}}}}}}`;
    const error = `{"detail":[${deep}]}`;
    const body = `data: ${deep}\n\ndata: ${call}\n\ndata: ${task}\n\ndata: {"error":${error}}\n\n`;
    expect(readBody(body).at(-1)).toMatchObject({ type: 'end', outcome: { kind: 'failed' } });
  });

  it('with an event of 5 MB fails as too large', () => {
    const bytes = new TextEncoder().encode(`data: "${'x'.repeat(5 * 1024 * 1024)}"\n\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) =>
      bytes.subarray(i * 65_536, (i + 1) * 65_536),
    );
    for (const way of [chunks, [bytes]]) {
      expect(readChunks(way)).toEqual([
        { type: 'end', outcome: expect.objectContaining({ kind: 'failed', code: 'planner_too_large' }) },
      ]);
    }
  });

  it('that never ends its event fails as too large', () => {
    const line = new TextEncoder().encode(`data: ${'x'.repeat(1_000_000)}\n`);
    expect(readChunks([line, line, line, line, line]).at(-1)).toMatchObject({ outcome: { code: 'planner_too_large' } });
  });

  it('of more than 64 MB fails as too large', () => {
    const chunk = new TextEncoder().encode(`: ${'x'.repeat(1_048_576)}\n\n`);
    expect(readChunks(Array.from({ length: 64 }, () => chunk)).at(-1)).toMatchObject({
      outcome: { code: 'planner_too_large' },
    });
  });

  it('with 30,000 tasks in one event gives 20,000 and skips the rest', () => {
    const tasks = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [i, { status: 'pending' }]));
    const events = readBody(dataLine({ choices: [], metadata: { type: 'plan_state', phases: { 0: { tasks } } } }));
    expect(events.flatMap((event) => (event.type === 'plan-delta' ? event.delta.phases?.[0]?.tasks : []))).toHaveLength(
      20_000,
    );
    expect(events).toContainEqual({ type: 'skipped', reason: '10000 entries beyond what one event may hold' });
  });

  it.each<[string, object]>([
    ['payments', { payment: { amount: '1', currency: 'USD' } }],
    ['payments that cannot be read', { payment: [{ accepted_funds: Array(50).fill({ amount: 'x' }) }] }],
    ['cards', { card: { card_kind: 'review', card_payload: { title: 'Book?' } } }],
    ['cards of odd things', { card: { card_kind: 'carousel', card_payload: { items: Array(5_000).fill({}) } } }],
    ['cards as JSON text', { card: { card_kind: 'form', card_payload: `{"fields":[${'{},'.repeat(9_000)}{}]}` } }],
    ['texts made to be slow', { reply: `${'a_secret_ eyJ- Bearer password '.repeat(1_000)}` }],
    // Anything but linear work on it runs into the time limit of every test.
  ])('with 3.5 MB of %s is read all the same', (_name, task) => {
    const tasks = Array(Math.floor(3_500_000 / JSON.stringify(task).length)).fill(task);
    const body = dataLine({ choices: [], metadata: { plan_status: 'payment_requested', phases: [{ tasks }] } });
    expect(outcomeOf(readBody(body))).toMatchObject({ kind: 'paused' });
  });

  it('with 10,000 agents for a task names 50', () => {
    const agents = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`agent1q${i}`, {}]));
    const [read] = readBody(dataLine({ choices: [], metadata: { phases: { 0: { tasks: { 0: { agents } } } } } }));
    const delta = read?.type === 'plan-delta' ? read.delta : undefined;
    expect(delta?.phases?.[0]?.tasks?.[0]?.agentsFound).toHaveLength(50);
  });
});

function cutBytes(body: string, cuts: readonly number[]): Uint8Array[] {
  const bytes = new TextEncoder().encode(body);
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...places].map((from, i) => bytes.subarray(from, places[i] ?? bytes.length));
}
