import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSandboxPlanner, type SandboxPlanner } from '../../../../src/sandbox/planner/sandbox-planner.ts';
import { assistant, postChat, user } from './client.ts';

let planner: SandboxPlanner;
let nowMs = 1_000_000;
beforeEach(async () => {
  planner = await createSandboxPlanner({
    scenario: 'clarify-content',
    speed: Number.POSITIVE_INFINITY,
    pauseTtlMs: 60_000,
    now: () => nowMs,
  });
});
afterEach(() => planner.close());

const QUESTION = 'From which city do you leave?';
const FIRST = [user('Find a train')];
const RESUME = [...FIRST, assistant(QUESTION), user('Porto')];

async function read(messages: unknown, options = {}): Promise<string> {
  return (await postChat(planner, messages, options)).text();
}

test('a resume with the same session goes on with the plan and quotes the answer', async () => {
  await read(FIRST);
  expect(await read(RESUME)).toContain('There is a train from Porto at 9:12.');
  expect(planner.requests.map(({ kind, leg }) => [kind, leg])).toEqual([
    ['start', 0],
    ['resume', 1],
  ]);
});

test('another session id starts over', async () => {
  await read(FIRST);
  expect(await read(RESUME, { sessionId: 'other' })).toContain('clarification_requested');
  expect(planner.requests[1]).toMatchObject({ kind: 'start', leg: 0 });
});

test('an expired pause starts over, silently', async () => {
  await read(FIRST);
  nowMs += 60_001;
  expect(await read(RESUME)).toContain('clarification_requested');
  expect(planner.requests[1]).toMatchObject({ kind: 'start-over', leg: 0 });
});

test('a forgotten pause starts over, silently', async () => {
  await read(FIRST);
  planner.forget('session-1');
  await read(RESUME);
  expect(planner.requests[1]).toMatchObject({ kind: 'start-over', leg: 0 });
});

test.each([
  ['the first turn differs', [user('Find a bus'), assistant(QUESTION), user('Porto')], {}, 'messages[0] differs'],
  ['the paused turn is missing', [...FIRST, user('Porto')], {}, 'must be the paused assistant turn'],
  ['the paused turn says something else', [...FIRST, assistant('Eh?'), user('Porto')], {}, 'does not hold the text'],
  ['the model differs', RESUME, { model: 'asi1-mini' }, 'model differs'],
  ['the agents differ', RESUME, { agents: [`agent1qg${'q'.repeat(57)}`] }, 'agents differs'],
  ['the first request is sent again', FIRST, {}, 'must be the paused assistant turn'],
])('a resume is refused when %s, and the plan stays paused', async (_what, messages, body, words) => {
  await read(FIRST);
  const response = await postChat(planner, messages, { body });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(words);
  expect(planner.refused).toHaveLength(1);
  expect(await read(RESUME)).toContain('There is a train from Porto');
});

test('a second request of a session that is busy is refused with 409', async () => {
  planner.use('held');
  const first = await postChat(planner, [user('one')]);
  expect((await postChat(planner, [user('two')])).status).toBe(409);
  expect(planner.openStreams).toBe(1);
  planner.release('held');
  expect(await first.text()).toContain('The gate was opened.');
  expect(planner.openStreams).toBe(0);
});

test('a resume sent as soon as [DONE] is read is taken', async () => {
  planner.use({
    about: 'pauses, and keeps the connection open after [DONE]',
    legs: [[{ text: 'Eh?' }, { done: true }, { hold: 'after' }], [{ text: 'Ah.' }]],
  });
  const first = await postChat(planner, [user('go')]);
  await planner.waitFor(([request]) => request?.state === 'ended');
  expect(await read([user('go'), assistant('Eh?'), user('so')])).toContain('Ah.');
  planner.release('after');
  await first.text();
});

test('a client that goes is recorded and its plan is lost', async () => {
  planner.use('held');
  const abort = new AbortController();
  await postChat(planner, FIRST, { signal: abort.signal });
  abort.abort();
  await planner.waitFor((requests) => requests[0]?.state === 'aborted');
  planner.release('held');
  await read(FIRST);
  expect(planner.requests[1]).toMatchObject({ kind: 'start-over', leg: 0, state: 'ended' });
});

test('after a 429 the same request goes in', async () => {
  planner.use('error-429-then-ok');
  const refused = await postChat(planner, FIRST);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await read(FIRST)).toContain('Let in after the limit.');
  expect(planner.requests.map(({ kind, state }) => [kind, state])).toEqual([
    ['start', 'refused'],
    ['retry', 'ended'],
  ]);
});

test('a resume after tool calls answers every call', async () => {
  planner.use('tool-call-delta');
  await read(FIRST);
  const calls = [
    { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Lisbon"}' } },
    { id: 'call_2', type: 'function', function: { name: 'get_time', arguments: '{}' } },
  ];
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: '{}' });
  const turn = assistant(null, { tool_calls: calls });
  expect((await postChat(planner, [...FIRST, turn, result('call_1')])).status).toBe(400);
  expect(await read([...FIRST, turn, result('call_1'), result('call_2')])).toContain('Both tools were answered.');
});
