import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSandboxPlanner, type SandboxPlanner } from '../../../../src/sandbox/planner/sandbox-planner.ts';
import { parseScenario } from '../../../../src/sandbox/planner/scenario.ts';
import { listScenarios, loadScenario } from '../../../../src/sandbox/planner/script-choice.ts';
import { parseEvents, postChat, user } from './client.ts';

let planner: SandboxPlanner;
beforeAll(async () => {
  planner = await createSandboxPlanner({ speed: Number.POSITIVE_INFINITY });
});
beforeEach(() => planner.reset());
afterAll(() => planner.close());

async function play(name: string, sessionId = name): Promise<string> {
  return (await postChat(planner, [user(`[scenario:${name}] please`)], { sessionId })).text();
}

describe('every scenario', () => {
  test.each(listScenarios())('%s is sound and in the README', (name) => {
    expect(loadScenario(name).scenario.about).not.toBe('');
    const readme = readFileSync(new URL('../../../../src/sandbox/planner/README.md', import.meta.url), 'utf8');
    expect(readme).toMatch(new RegExp(`^\\| \`${name}\` +\\| `, 'm'));
  });

  const playable = listScenarios().filter((name) => !/^(cut|error|silent|held)/.test(name));
  test.each(playable)('%s streams to an end that nobody cut', async (name) => {
    expect((await play(name)).length).toBeGreaterThan(0);
    expect(planner.requests[0]).toMatchObject({ state: 'ended', scenario: name });
  });
});

test.each([
  [{}, '"about"'],
  [{ about: 'x', legs: [] }, '"legs"'],
  [{ about: 'x', legs: [[]], more: 1 }, 'unknown key "more"'],
  [{ about: 'x', legs: [[{ tekst: 'y' }]] }, 'leg 0, step 0: has none of the keys'],
  [{ about: 'x', legs: [[{ text: 'y', every: 3 }]] }, '"every" is not a key'],
  [{ about: 'x', legs: [[], [{ waitMs: -1 }]] }, 'leg 1, step 0: "waitMs" must be a whole number'],
  [{ about: 'x', legs: [[{ cut: 'softly' }]] }, '"cut" must be one of'],
  [{ about: 'x', legs: [[{ generate: 'gold' }]] }, '"generate" must be one of'],
  [{ about: 'x', legs: [[{ text: 'y' }, { status: 500 }]] }, 'step 1: must come before any byte'],
  [{ about: 'x', legs: [[{ repeat: { times: 2, steps: [{ done: false }] } }]] }, 'repeat.steps, step 0: "done"'],
  [{ about: 'x', legs: [[{ when: { says: 'maybe' }, steps: [] }]] }, '"when" holds "says", which must be one of'],
  [{ about: 'x', legs: [[{ when: { mood: 'good' }, steps: [] }]] }, '"when" holds "mood", which is not known'],
  [{ about: 'x', legs: [[{ when: {}, steps: [{ tekst: 'y' }] }]] }, 'step 0, steps, step 0: has none of the keys'],
  [{ about: 'x', legs: [[{ when: {} }]] }, 'step 0, steps: must be a list of steps'],
  [{ about: 'x', legs: [[{ text: 'y' }, { when: {}, steps: [{ status: 500 }] }]] }, 'must come before any byte'],
  [{ about: 'x', legs: [[{ repeat: { times: 2, steps: [{ when: {}, steps: [] }] } }]] }, '"when" cannot be repeated'],
])('a faulty scenario %j is refused with its place', (value, words) => {
  expect(() => parseScenario(value, 'test')).toThrow(words);
});

test('an unknown scenario is refused by name, in code and in a tag', async () => {
  expect(() => planner.use('no-such')).toThrow('There is no scenario "no-such"');
  expect((await postChat(planner, [user('[scenario:no-such]')])).status).toBe(400);
});

test('a tag wins over rules, a rule over the default, and a rule is used up', async () => {
  planner.use('held', { match: 'gate' });
  planner.use('no-done', { times: 1 });
  const name = async (text: string, sessionId: string) => {
    const abort = new AbortController();
    await postChat(planner, [user(text)], { sessionId, signal: abort.signal });
    abort.abort();
    return planner.requests.at(-1)?.scenario;
  };
  expect(await name('[scenario:bom] gate', 'a')).toBe('bom');
  expect(await name('gate', 'b')).toBe('no-done');
  expect(await name('gate', 'c')).toBe('held');
  expect(await name('anything', 'd')).toBe('happy');
});

test('a conversation that goes on is chosen by its newest tag', async () => {
  const messages = [user('[scenario:crlf] a'), { role: 'assistant', content: 'b' }, user('[scenario:bom] c')];
  await (await postChat(planner, messages)).text();
  expect(planner.requests[0]?.scenario).toBe('bom');
});

test('a plan chunk has the documented form and counts as one', async () => {
  const [event] = parseEvents(await play('no-titles'));
  expect(event).toEqual({
    choices: [],
    metadata: {
      type: 'plan_state',
      plan_status: 'in_progress',
      phases: { '0': { status: 'in_progress', tasks: { '0': { status: 'pending' }, '1': { status: 'pending' } } } },
    },
  });
  expect(planner.requests[0]).toMatchObject({ planEvents: 3, text: 'Both unnamed tasks are done.' });
});

test('hostile keys reach the wire as they are written', async () => {
  const text = await play('proto-keys');
  expect(text.match(/"__proto__":/g)).toHaveLength(5);
});

test('bytes are split inside characters and arrive whole', async () => {
  const response = await postChat(planner, [user('[scenario:split-bytes]')]);
  const sizes: number[] = [];
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    sizes.push(chunk.length);
    text += decoder.decode(chunk, { stream: true });
  }
  expect(sizes.filter((size) => size === 1).length).toBeGreaterThan(sizes.length / 2);
  expect(planner.requests[0]?.text).toBe('Grüße — 你好, ça va? 🚀');
  expect(text).toContain('Größe prüfen – 検査 🧭');
});

test('the framing scenarios send what they say', async () => {
  expect(await play('crlf')).toMatch(/^data: \{.*\}\r\n\r\ndata:\{.*\r\ndata:/);
  const bom = Buffer.from(await (await postChat(planner, [user('[scenario:bom]')])).arrayBuffer());
  expect([...bom.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(await play('keep-alive')).toContain(': keep-alive 19\n\n');
});

test('the huge scenarios are as big as they say', async () => {
  const tasks = (events: unknown[]) => JSON.stringify(events).split('"task":').length - 1;
  expect(tasks(parseEvents(await play('plan-500-tasks')))).toBe(500);
  expect(tasks(parseEvents(await play('plan-10000-tasks')))).toBe(10_000);
  expect((await play('event-5mb')).length).toBeGreaterThan(5 * 1024 * 1024);
  await play('long-answer');
  expect(planner.requests.at(-1)?.text.length).toBeGreaterThan(5 * 12_000);
});

test('the cuts break off as they say', async () => {
  await expect(play('cut-before-headers')).rejects.toThrow('fetch failed');
  await expect(play('cut-mid-event')).rejects.toThrow('terminated');
  expect(await play('cut-clean')).not.toContain('[DONE]');
  expect(await play('cut-empty')).toBe('');
  expect(planner.requests.map((request) => request.state)).toEqual(['cut', 'cut', 'cut', 'cut']);
});

test('a session that was cut gets the next leg', async () => {
  await expect(play('cut-mid-event')).rejects.toThrow();
  expect(await play('cut-mid-event')).toContain('Second try, whole.');
  expect(planner.requests[1]?.kind).toBe('retry');
});

test.each([
  ['error-401', 401, 'application/json'],
  ['error-404', 404, 'application/json'],
  ['error-422', 422, 'application/json'],
  ['error-429', 429, 'application/json'],
  ['error-500', 500, 'application/json'],
  ['error-504-html', 504, 'text/html'],
  ['error-200-json', 200, 'application/json'],
])('%s answers %i as %s', async (name, status, type) => {
  const response = await postChat(planner, [user(`[scenario:${name}]`)]);
  expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
});

test('error-400-empty has an empty body', async () => {
  const response = await postChat(planner, [user('[scenario:error-400-empty]')]);
  expect([response.status, await response.text()]).toEqual([400, '']);
});

test('waits are divided by the speed', async () => {
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  const slow = await createSandboxPlanner({ scenario: 'happy', speed: 10, sleep });
  await (await postChat(slow, [user('hi')])).text();
  await slow.close();
  expect(slept.slice(0, 3)).toEqual([15, 20, 30]);
});

test('releases are counted, and one given early is kept', async () => {
  planner.release('held');
  expect(await play('held', 'a')).toContain('The gate was opened.');
  const streams = await Promise.all(
    ['b', 'c'].map((id) => postChat(planner, [user('[scenario:held]')], { sessionId: id })),
  );
  planner.release('held', 2);
  for (const stream of streams) expect(await stream.text()).toContain('The gate was opened.');
});

test('waiting in vain lists what was seen', async () => {
  await play('bom');
  await expect(planner.waitFor(() => false, { timeoutMs: 5 })).rejects.toThrow('#0 start, scenario bom, leg 0, ended');
});

test('closing breaks streams that are open', async () => {
  const other = await createSandboxPlanner({ scenario: 'held' });
  const response = await postChat(other, [user('hi')]);
  await other.close();
  await expect(response.text()).rejects.toThrow('terminated');
  expect(other.openStreams).toBe(0);
});
