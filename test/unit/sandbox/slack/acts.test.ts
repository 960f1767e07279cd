import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../../../src/sandbox/slack/foreign-host.ts';
import type { Json } from '../../../../src/sandbox/slack/json.ts';
import { createSandboxSlack } from '../../../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX } from '../../../../src/sandbox/slack/setup.ts';

const { general, random } = SANDBOX.channels;
const { alice, bob } = SANDBOX.users;
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A sandbox and an app that keeps its payloads; `hold` keeps its answers back until that many have come. */
async function start({ hold = 1, answer = '' }: { hold?: number; answer?: string } = {}) {
  const payloads: Json[] = [];
  const waiting: (() => void)[] = [];
  const app = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const payload = new URLSearchParams(Buffer.concat(chunks).toString()).get('payload');
    if (payload !== null) payloads.push(JSON.parse(payload));
    waiting.push(() => response.end(answer));
    if (waiting.length >= hold) for (const release of waiting.splice(0)) release();
  });
  const eventsUrl = `http://127.0.0.1:${await listen(app, 0)}/slack/events`;
  closers.push(() => closeServer(app));
  const slack = await createSandboxSlack({ eventsUrl, echoBotMessages: false });
  closers.push(() => slack.close());
  const client = new WebClient(SANDBOX.botToken, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    logLevel: LogLevel.ERROR,
  });
  return { slack, client, payloads };
}

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const input = (blockId: string, element: Json, fields: Json = {}) => ({
  type: 'input' as const,
  block_id: blockId,
  label: plain(blockId),
  element: { action_id: 'in', ...element },
  ...fields,
});
const modal = (...blocks: Json[]): Json => ({ type: 'modal', title: plain('T'), submit: plain('Send'), blocks });

type Started = Awaited<ReturnType<typeof start>>;

async function openModal({ slack, client }: Started, view: Json, user: string = alice): Promise<string> {
  const opened: Json = { ...(await client.apiCall('views.open', { trigger_id: slack.issueTrigger(user), view })) };
  return String((opened.view as Json).id);
}

async function postButton({ client }: Started, fields: Json = {}): Promise<string> {
  const elements = [{ type: 'button', action_id: 'ok', text: plain('OK'), value: 'p1', ...fields }];
  const blocks = [{ type: 'actions', elements }];
  const posted: Json = { ...(await client.apiCall('chat.postMessage', { channel: general, text: 'press', blocks })) };
  return String(posted.ts);
}

const valuesOf = (payload: Json = {}) => ((payload.view as Json).state as Json).values;

describe('buttons', () => {
  it('are pressed by several people at the same time', async () => {
    const started = await start({ hold: 3 });
    const messageTs = await postButton(started);
    const users = [alice, bob, SANDBOX.users.carol];
    const results = await Promise.all(users.map((user) => started.slack.click({ user, messageTs, actionId: 'ok' })));
    expect(results.every(({ acked }) => acked)).toBe(true);
    expect(started.payloads.map(({ user }) => (user as Json).id).sort()).toEqual([...users].sort());
  });

  it('may be said to stand somewhere else', async () => {
    const started = await start();
    const messageTs = await postButton(started);
    const forgedPlace = { channel: random, messageTs: '1700000000.000100', threadTs: '1700000000.000001' };
    await started.slack.click({ messageTs, actionId: 'ok', forgedPlace });
    await started.slack.click({ messageTs, actionId: 'ok', forgedPlace: { channel: random } });
    expect(started.payloads).toMatchObject([
      {
        channel: { id: random },
        container: { channel_id: random, message_ts: '1700000000.000100', thread_ts: '1700000000.000001' },
        message: { ts: '1700000000.000100' },
        actions: [{ value: 'p1' }],
      },
      { channel: { id: random }, container: { message_ts: messageTs }, message: { ts: messageTs } },
    ]);
  });

  it('with a link tell the app too', async () => {
    const started = await start();
    const messageTs = await postButton(started, { url: 'https://pay.example/1' });
    await started.slack.click({ messageTs, text: 'OK' });
    expect(started.payloads[0]?.actions).toMatchObject([{ action_id: 'ok', url: 'https://pay.example/1' }]);
  });
});

describe('submissions', () => {
  const form = modal(input('who', { type: 'plain_text_input' }));

  it('come twice when the button is pressed twice before the answer', async () => {
    const started = await start({ hold: 2 });
    await openModal(started, form);
    const both = await Promise.all([
      started.slack.submitView({ values: { who: 'Ada' } }),
      started.slack.submitView({ values: { who: 'Ada' } }),
    ]);
    expect(both).toMatchObject([
      { acked: true, open: false, problem: null },
      { acked: true, open: false, problem: null },
    ]);
    expect(started.payloads).toHaveLength(2);
  });

  it('come again from a second screen after the view was closed', async () => {
    const started = await start();
    const viewId = await openModal(started, form);
    await started.slack.submitView({ values: { who: 'Ada' } });
    await expect(started.slack.submitView({ viewId })).rejects.toThrow('no open view');
    await started.slack.submitView({ viewId, stale: true, values: { who: 'Eve' } });
    await expect(started.slack.submitView({ user: bob, viewId, stale: true })).rejects.toThrow('never had the view');
    expect(started.payloads.map(valuesOf)).toMatchObject([
      { who: { in: { value: 'Ada' } } },
      { who: { in: { value: 'Eve' } } },
    ]);
    expect(started.slack.openViews(alice)).toEqual([]);
  });

  it('may name a user who never saw the view', async () => {
    const started = await start();
    await openModal(started, form);
    await started.slack.submitView({ values: { who: 'Ada' }, forgedUser: bob });
    expect(started.payloads[0]).toMatchObject({ type: 'view_submission', user: { id: bob } });
  });

  it('keep what was typed while errors are shown', async () => {
    const answer = JSON.stringify({ response_action: 'errors', errors: { age: 'Too young.' } });
    const started = await start({ answer });
    await openModal(
      started,
      modal(
        input('who', { type: 'plain_text_input' }),
        input('age', { type: 'number_input', is_decimal_allowed: false }),
      ),
    );
    expect(await started.slack.submitView({ values: { who: 'Ada', age: '3' } })).toMatchObject({
      open: true,
      errors: { age: 'Too young.' },
    });
    await started.slack.submitView({ values: { age: '30' } });
    expect(valuesOf(started.payloads[1])).toMatchObject({
      who: { in: { value: 'Ada' } },
      age: { in: { value: '30' } },
    });
  });

  it('take errors for inputs only', async () => {
    const answer = JSON.stringify({ response_action: 'errors', errors: { text: 'No.' } });
    const started = await start({ answer });
    const text = { type: 'section', block_id: 'text', text: plain('x') };
    await openModal(started, modal(text));
    expect(await started.slack.submitView({})).toMatchObject({ open: true, problem: 'no such block: text' });
  });
});

describe('inputs', () => {
  const options = [option('a'), option('b')];
  const kinds = modal(
    input('number', { type: 'number_input', is_decimal_allowed: true, min_value: '1', max_value: '9.5' }),
    input('email', { type: 'email_text_input' }),
    input('radio', { type: 'radio_buttons', options }),
    input('boxes', { type: 'checkboxes', options }),
    input('grouped', { type: 'static_select', option_groups: [{ label: plain('G'), options }] }),
    input('several', { type: 'multi_static_select', options, max_selected_items: 1 }),
    input('text', { type: 'plain_text_input', min_length: 2, multiline: true }, { optional: true }),
  );
  const filled = { number: '2.5', email: 'a@b.example', radio: 'a', boxes: ['a', 'B'], grouped: 'B', several: ['b'] };

  it('of every kind are filled in', async () => {
    const started = await start();
    await openModal(started, kinds);
    await started.slack.submitView({ values: filled });
    expect(valuesOf(started.payloads[0])).toMatchObject({
      number: { in: { type: 'number_input', value: '2.5' } },
      email: { in: { type: 'email_text_input', value: 'a@b.example' } },
      radio: { in: { type: 'radio_buttons', selected_option: option('a') } },
      boxes: { in: { type: 'checkboxes', selected_options: options } },
      grouped: { in: { type: 'static_select', selected_option: option('b') } },
      several: { in: { type: 'multi_static_select', selected_options: [option('b')] } },
      text: { in: { type: 'plain_text_input', value: null } },
    });
  });

  it.each([
    ['words for a number', { number: 'two' }, 'does not take'],
    ['a number that is too small', { number: '0.5' }, 'At least 1'],
    ['a number that is too big', { number: '9.6' }, 'At most 9.5'],
    ['no e-mail address', { email: 'a at b' }, 'does not take'],
    ['an option that is not there', { radio: 'c' }, 'no option "c"'],
    ['too many choices', { several: ['a', 'b'] }, 'At most 1'],
    ['too short a text', { text: 'x' }, 'At least 2'],
    ['an empty number', { number: '' }, 'number is empty'],
    ['no box', { boxes: [] }, 'boxes is empty'],
  ])('are not sent with %s, but by a client that checks nothing', async (_name, wrong, problem) => {
    const started = await start();
    await openModal(started, kinds);
    const values = { ...filled, ...wrong };
    await expect(started.slack.submitView({ values })).rejects.toThrow(problem);
    expect(started.payloads).toEqual([]);
    expect(await started.slack.submitView({ values, unchecked: true })).toMatchObject({ acked: true });
  });

  it('are filled in one by one, and told at once where the app asked for it', async () => {
    const started = await start();
    await openModal(
      started,
      modal(
        input('quiet', { type: 'static_select', options }),
        input('loud', { type: 'static_select', options }, { dispatch_action: true }),
      ),
    );
    expect(await started.slack.fillInView({ blockId: 'quiet', value: 'a' })).toBeNull();
    expect(await started.slack.fillInView({ blockId: 'loud', value: 'b' })).toMatchObject({ acked: true });
    expect(started.payloads).toMatchObject([
      {
        type: 'block_actions',
        actions: [{ block_id: 'loud', selected_option: option('b') }],
        view: { state: { values: { quiet: { in: { selected_option: option('a') } } } } },
      },
    ]);
  });

  it('of another kind do not take over what was typed', async () => {
    const started = await start();
    const viewId = await openModal(started, modal(input('who', { type: 'plain_text_input' })));
    await started.slack.fillInView({ blockId: 'who', value: 'Ada' });
    const view = modal(input('who', { type: 'email_text_input' }, { optional: true }));
    await started.client.apiCall('views.update', { view_id: viewId, view });
    await started.slack.submitView({});
    expect(valuesOf(started.payloads[0])).toMatchObject({ who: { in: { type: 'email_text_input', value: null } } });
  });
});
