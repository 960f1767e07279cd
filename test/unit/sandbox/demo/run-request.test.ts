import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DemoRequest, runRequest } from '../../../../src/sandbox/demo/run-request.ts';
import { createSandboxPlanner, type SandboxPlanner } from '../../../../src/sandbox/planner/sandbox-planner.ts';
import { createSandboxSlack, type SandboxSlack } from '../../../../src/sandbox/slack/sandbox-slack.ts';

let slack: SandboxSlack;
let planner: SandboxPlanner;
let server: Server;
let lines: string[];
/** Gets the body of every delivery. */
let delivered: EventEmitter<{ body: [string] }>;

beforeEach(async () => {
  delivered = new EventEmitter();
  server = createServer(async (request, response) => {
    const body = await text(request);
    response.end();
    delivered.emit('body', body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  lines = [];
  slack = await createSandboxSlack({ eventsUrl: `http://127.0.0.1:${port}`, echoBotMessages: false });
  planner = await createSandboxPlanner();
});

afterEach(async () => {
  await Promise.all([slack.close(), planner.close()]);
  server.closeAllConnections();
  server.close();
});

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const buttons = (...labels: string[]) => ({
  type: 'actions',
  elements: labels.map((text, index) => ({
    type: 'button',
    action_id: `button_${index}`,
    value: 'id',
    text: { type: 'plain_text', text },
  })),
});

/** Plays the bot by hand: each step posts into the thread, or edits the message of the step before. */
async function createHand() {
  const client = new WebClient(slack.setup.botToken, { slackApiUrl: slack.apiUrl });
  const root = await slack.waitForMessage({ match: (message) => message.text.includes('the request') });
  return {
    async post(text: string, ...blocks: object[]) {
      const posted = await client.chat.postMessage({
        channel: root.channel,
        thread_ts: root.ts,
        text,
        blocks,
      } as never);
      return String(posted.ts);
    },
    whisper: (text: string) =>
      client.chat.postEphemeral({ channel: root.channel, thread_ts: root.ts, user: root.userId, text }),
    open: (trigger: string, view: object) => client.views.open({ trigger_id: trigger, view } as never),
    edit: (ts: string, text: string, ...blocks: object[]) =>
      client.chat.update({ channel: root.channel, ts, text, blocks } as never),
  };
}

function run(more: Partial<DemoRequest> = {}) {
  const sandbox = { slack, planner, write: (line: string) => void lines.push(line) };
  return runRequest(sandbox, { text: 'the request & more', timeoutMs: 10_000, ...more });
}

/** The interaction that comes next; events, which are JSON and no form, are passed over. */
async function nextInteraction() {
  for (;;) {
    const [body] = await once(delivered, 'body');
    const payload = new URLSearchParams(body).get('payload');
    if (payload !== null) return JSON.parse(payload);
  }
}

const APPROVAL = {
  type: 'modal',
  title: { type: 'plain_text', text: 'Approve a payment' },
  submit: { type: 'plain_text', text: 'Approve' },
  blocks: [
    {
      type: 'input',
      block_id: 'way',
      label: { type: 'plain_text', text: 'Pay which way?' },
      element: {
        type: 'radio_buttons',
        action_id: 'way_input',
        options: [{ text: { type: 'plain_text', text: '2 USD' }, value: '0' }],
      },
    },
  ],
};

test('a run is printed as it changes and told in one line', async () => {
  const running = run();
  const bot = await createHand();
  const status = await bot.post('Working', section('*Working* · 1 s'), buttons('Stop'));
  await bot.edit(status, 'Working', section('*Working* · 2 s\nNow: Compare'), buttons('Stop'));
  await bot.post('The answer', { type: 'markdown', text: '**Parque Hall**' });
  await bot.edit(status, 'Done', section('*Done* · 3 s'));
  const result = await running;
  expect(result.ok).toBe(true);
  expect(result.summary).toMatch(/^Answered in \d+\.\d s: first status after \d+\.\d s, 2 edits of .*, 0 plan deltas/);
  const printed = lines.join('\n');
  expect(printed).toContain('alice     @Steward the request & more');
  expect(printed).toContain('**Parque Hall**');
  expect(printed.match(/Working/g)).toHaveLength(1);
});

test('a question with options is answered by its first button', async () => {
  const running = run();
  const bot = await createHand();
  const status = await bot.post('Working', section('Working'), buttons('Stop'));
  const card = await bot.post('A question', section('Which one?'), buttons('This', 'That', 'Answer…'));
  expect(await nextInteraction()).toMatchObject({ type: 'block_actions', actions: [{ text: { text: 'This' } }] });
  expect(lines.join('\n')).toContain('it clicks "This"');
  await bot.edit(card, 'Answered', section('@alice answered'));
  await bot.post('The answer', { type: 'markdown', text: 'This it is.' });
  await bot.edit(status, 'Done', section('Done'));
  expect((await running).ok).toBe(true);
});

test('a question without options is answered by a reply in the thread', async () => {
  const running = run();
  const bot = await createHand();
  const status = await bot.post('Working', section('Working'), buttons('Stop'));
  await bot.post('A question', section('Where to?'), buttons('Answer…'));
  await slack.waitForMessage({ match: (message) => message.text === 'Whatever you think is best' });
  await bot.post('The answer', { type: 'markdown', text: 'To Lisbon.' });
  await bot.edit(status, 'Done', section('Done'));
  expect((await running).ok).toBe(true);
});

test('a payment is approved in the window that its button opens', async () => {
  const running = run({ mustAsk: ['payment'] });
  const bot = await createHand();
  const status = await bot.post('Working', section('Working'), buttons('Stop'));
  const card = await bot.post('A payment', section('2 USD'), buttons('Approve…', 'Decline'));
  const click = await nextInteraction();
  expect(click).toMatchObject({ type: 'block_actions', actions: [{ text: { text: 'Approve…' } }] });
  await bot.open(click.trigger_id, APPROVAL);
  const submission = await nextInteraction();
  expect(submission.view.state.values).toMatchObject({ way: { way_input: { selected_option: { value: '0' } } } });
  await bot.edit(card, 'Approved', section('@alice approved'));
  await bot.post('The answer', { type: 'markdown', text: 'Paid.' });
  await bot.edit(status, 'Done', section('Done'));
  expect(await running).toMatchObject({ ok: true, summary: expect.stringContaining('by the demo: payment') });
  expect(lines.join('\n')).toContain('(a window opens: Approve a payment)');
});

test('a card is answered by its first choice', async () => {
  const running = run();
  const bot = await createHand();
  const status = await bot.post('Working', section('Working'), buttons('Stop'));
  const rows = [buttons('Take it'), { ...buttons('Answer in words…', 'Cancel'), block_id: 'controls' }];
  const card = await bot.post('A card', section('Which one?'), ...rows);
  expect(await nextInteraction()).toMatchObject({ actions: [{ text: { text: 'Take it' } }] });
  await bot.edit(card, 'Chosen', section('@alice chose'));
  await bot.post('The answer', { type: 'markdown', text: 'Taken.' });
  await bot.edit(status, 'Done', section('Done'));
  expect(await running).toMatchObject({ ok: true, summary: expect.stringContaining('by the demo: card') });
});

test('a click that the bot refuses ends the demo with its words', async () => {
  const running = run();
  const bot = await createHand();
  await bot.post('A payment', section('2 USD'), buttons('Approve…', 'Decline'));
  const refused = expect(running).rejects.toThrow('The bot refused the click: You may not decide this.');
  await nextInteraction();
  await bot.whisper('You may not decide this.');
  await refused;
});

test('an answer without what the bot had to ask for is not ok', async () => {
  const running = run({ mustAsk: ['question', 'payment'] });
  const bot = await createHand();
  const status = await bot.post('Working', section('Working'), buttons('Stop'));
  await bot.post('The answer', { type: 'markdown', text: 'So soon.' });
  await bot.edit(status, 'Done', section('Done'));
  expect(await running).toMatchObject({
    ok: false,
    summary: expect.stringContaining('never asked for: question, payment'),
  });
});

test('a run that ends without an answer is not ok, and the bot is quoted', async () => {
  const running = run();
  const bot = await createHand();
  const status = await bot.post('Working', section('Working'), buttons('Stop'));
  await bot.edit(status, 'Failed: the key was refused', section('Failed'), buttons('Start over'));
  const result = await running;
  expect(result.ok).toBe(false);
  expect(result.summary).toContain('The bot said: Failed: the key was refused');
});
