import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandboxPlanner, type SandboxPlanner } from '../../../../src/sandbox/planner/sandbox-planner.ts';

let planner: SandboxPlanner;
let client: OpenAI;
beforeAll(async () => {
  planner = await createSandboxPlanner({ speed: Number.POSITIVE_INFINITY });
  client = new OpenAI({ apiKey: planner.apiKey, baseURL: planner.baseUrl, maxRetries: 0 });
});
afterAll(() => planner.close());

const ask = (content: string) => ({
  model: 'asi1',
  messages: [{ role: 'user' as const, content }],
  planner_mode: true,
});
const session = (id: string) => ({ headers: { 'x-session-id': id } });

test('the SDK streams plan and text', async () => {
  const stream = await client.chat.completions.create({ ...ask('compare'), stream: true }, session('sdk-1'));
  let text = '';
  let plans = 0;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta?.content ?? '';
    if ('metadata' in chunk) plans += 1;
  }
  expect(text).toContain('# Vendor comparison');
  expect(plans).toBe(planner.requests[0]?.planEvents);
});

test('the SDK gets the whole answer without streaming, and no plan', async () => {
  const completion = await client.chat.completions.create(ask('compare'), session('sdk-2'));
  expect(completion.choices[0]?.message.content).toContain('**Northwind** is the better offer');
  expect(completion.choices[0]?.finish_reason).toBe('stop');
});

test('the SDK gets tool calls without streaming', async () => {
  const completion = await client.chat.completions.create(ask('[scenario:tool-call-delta]'), session('sdk-3'));
  expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
  expect(completion.choices[0]?.message.tool_calls).toMatchObject([
    { id: 'call_1', function: { name: 'get_weather', arguments: '{"city":"Lisbon"}' } },
    { id: 'call_2', function: { name: 'get_time', arguments: '{}' } },
  ]);
});

test('the SDK types the documented errors', async () => {
  const unknownModel = client.chat.completions.create({ ...ask('hi'), model: 'asi2' }, session('sdk-4'));
  await expect(unknownModel).rejects.toThrow(OpenAI.NotFoundError);
  const limited = client.chat.completions.create(ask('[scenario:error-429]'), session('sdk-5'));
  await expect(limited).rejects.toThrow(OpenAI.RateLimitError);
});
