import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSandboxPlanner, type SandboxPlanner } from '../../../../src/sandbox/planner/sandbox-planner.ts';
import { assistant, type ChatOptions, postChat, user } from './client.ts';

let planner: SandboxPlanner;
beforeAll(async () => {
  planner = await createSandboxPlanner({ scenario: 'answer-only', maxAgents: 2 });
});
beforeEach(() => planner.reset());
afterAll(() => planner.close());

const ADDRESS = `agent1qg${'q'.repeat(57)}`;
const CALL = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };

const REFUSED: Array<[string, unknown, ChatOptions, number, string]> = [
  ['a wrong key', [user('hi')], { key: 'nope' }, 401, 'Incorrect API key'],
  ['no session id', [user('hi')], { sessionId: null }, 422, 'x-session-id'],
  ['an unknown model', [user('hi')], { body: { model: 'asi1-fast' } }, 404, 'asi1-fast'],
  ['a request without planner mode', [user('hi')], { body: { planner_mode: false } }, 400, 'planner_mode'],
  ['an unknown field', [user('hi')], { body: { colour: 1 } }, 422, 'colour'],
  ['agents that are no list', [user('hi')], { body: { agents: 'a' } }, 422, 'list'],
  ['an agent that is no address', [user('hi')], { body: { agents: ['agent1qx'] } }, 422, 'address'],
  ['too many agents', [user('hi')], { body: { agents: [ADDRESS, ADDRESS, ADDRESS] } }, 422, 'more than 2'],
  ['tools of another shape', [user('hi')], { body: { tools: [{ name: 'f' }] } }, 422, 'tools'],
  ['no messages', [], {}, 400, 'non-empty'],
  ['an unknown role', [{ role: 'bot', content: 'x' }], {}, 400, 'role'],
  ['an empty user text', [user('  ')], {}, 400, 'not empty'],
  ['an unknown key in a message', [{ ...user('hi'), name: 'x' }], {}, 400, 'unknown key'],
  ['an unknown content part', [user([{ type: 'audio' }])], {}, 400, 'text or image_url'],
  ['an image that is no image', [user([{ type: 'image_url', image_url: { url: 'http://x/y' } }])], {}, 400, 'image'],
  ['an assistant turn at the end', [user('hi'), assistant('ho')], {}, 400, 'last message'],
  ['an assistant turn at the start', [assistant('ho'), user('hi')], {}, 400, 'begin with a user'],
  [
    'a tool call without its answer',
    [user('a'), assistant(null, { tool_calls: [CALL] }), user('b')],
    {},
    400,
    'call_1',
  ],
  ['a tool answer without its call', [user('a'), { role: 'tool', tool_call_id: 'x', content: '' }], {}, 400, 'no open'],
];

test.each(REFUSED)('refuses %s', async (_what, messages, options, status, words) => {
  const response = await postChat(planner, messages, options);
  expect(response.status).toBe(status);
  expect(JSON.stringify(await response.json())).toContain(words);
  expect(planner.refused).toHaveLength(1);
  expect(planner.refused[0]?.refusal).toContain(words);
});

test('refuses a body that is not JSON', async () => {
  const headers = { authorization: `Bearer ${planner.apiKey}`, 'x-session-id': 's' };
  const response = await fetch(`${planner.baseUrl}/chat/completions`, { method: 'POST', headers, body: '{' });
  expect(response.status).toBe(400);
});

test('answers 404 for another path and 405 for another method', async () => {
  expect((await fetch(`${planner.baseUrl}/models`)).status).toBe(404);
  expect((await fetch(`${planner.baseUrl}/chat/completions`)).status).toBe(405);
});

test('accepts images, prior turns and answered tool calls', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  const messages = [
    user([{ type: 'text', text: 'see' }, image]),
    assistant(null, { tool_calls: [CALL] }),
    { role: 'tool', tool_call_id: 'call_1', content: '{"error":"unknown tool"}' },
    assistant('seen'),
    user('and now?'),
  ];
  const response = await postChat(planner, messages, { body: { agents: [ADDRESS] } });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('[DONE]');
  expect(planner.refused).toEqual([]);
});
