import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpListener, type HttpReceiverOptions } from '../../../src/intake/http/http-receiver.ts';
import type { Delivery, TakeDelivery } from '../../../src/intake/inbox/delivery.ts';
import { createMemoryLogger } from './fakes/memory-logger.ts';
import { eventBody, mentionEvent } from './fakes/payloads.ts';
import { postForm, postInteraction, postJson, postSigned, SIGNING_SECRET } from './fakes/signed-request.ts';

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return `http://127.0.0.1:${address.port}/slack/events`;
}

async function setUp(take?: TakeDelivery, options: Partial<HttpReceiverOptions> = {}) {
  const taken: Delivery[] = [];
  const listener = createHttpListener({
    signingSecret: SIGNING_SECRET,
    logger: createMemoryLogger(),
    ...options,
    take:
      take ??
      (async (delivery) => {
        taken.push(delivery);
        await delivery.ack();
      }),
  });
  return { url: await serve(listener), taken };
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const nowS = () => Math.floor(Date.now() / 1000);
const BODY = eventBody(mentionEvent());

describe('the HTTP listener', () => {
  it('takes a signed event, sent again or not', async () => {
    const { url, taken } = await setUp();
    const headers = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };
    expect((await postJson(url, BODY, { headers })).status).toBe(200);
    expect(taken[0]).toMatchObject({ body: BODY });
  });

  it('takes commands and interactivity, which come as forms', async () => {
    const { url, taken } = await setUp();
    expect((await postForm(url, { command: '/steward', text: 'a b' })).status).toBe(200);
    expect((await postInteraction(url, { type: 'block_actions' })).status).toBe(200);
    expect(taken.map((delivery) => ({ ...delivery.body }))).toEqual([
      { command: '/steward', text: 'a b' },
      { type: 'block_actions' },
    ]);
  });

  it.each([
    ['a wrong secret', { secret: 'another' }],
    ['a time 6 min ago', { timestampS: nowS() - 360 }],
    ['a time 6 min ahead', { timestampS: nowS() + 360 }],
    ['a time that is no number', { headers: { 'x-slack-request-timestamp': 'soon' } }],
    ['another signature version', { headers: { 'x-slack-signature': 'v1=00' } }],
    ['an empty signature', { headers: { 'x-slack-signature': '' } }],
  ])('refuses %s with 401', async (_what, options) => {
    const { url, taken } = await setUp();
    expect((await postJson(url, BODY, options)).status).toBe(401);
    expect(taken).toEqual([]);
  });

  it('refuses a request without a signature with 401', async () => {
    const { url, taken } = await setUp();
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(taken).toEqual([]);
  });

  it('accepts times up to 5 min off either way', async () => {
    const { url, taken } = await setUp();
    expect((await postJson(url, BODY, { timestampS: nowS() - 290 })).status).toBe(200);
    expect((await postJson(url, BODY, { timestampS: nowS() + 290 })).status).toBe(200);
    expect(taken).toHaveLength(2);
  });

  it.each(['null', '[]', '"text"', '7', '{', ''])(
    'answers 400 to a signed body that is no object: %j',
    async (body) => {
      const { url, taken } = await setUp();
      expect((await postSigned(url, body)).status).toBe(400);
      expect(taken).toEqual([]);
    },
  );

  it('refuses a body that is too large with 413', async () => {
    const { url } = await setUp();
    expect((await postSigned(url, 'x'.repeat(4 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('answers the URL verification with its challenge', async () => {
    const { url, taken } = await setUp();
    const response = await postJson(url, { type: 'url_verification', challenge: 'c1' });
    expect(await response.json()).toEqual({ challenge: 'c1' });
    expect(taken).toEqual([]);
  });

  it('answers the certificate check, and nothing that hides in it', async () => {
    const { url, taken } = await setUp();
    const form = { ssl_check: '1', payload: JSON.stringify(BODY) };
    expect((await postForm(url, form, { secret: 'another' })).status).toBe(200);
    expect(taken).toEqual([]);
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])('answers 404 to %s', async (method) => {
    const { url, taken } = await setUp();
    expect((await fetch(url, { method })).status).toBe(404);
    expect(taken).toEqual([]);
  });

  it('sends the content of an ack as JSON', async () => {
    const { url } = await setUp((delivery) => delivery.ack({ response_action: 'clear' }));
    const response = await postInteraction(url, { type: 'view_submission' });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ response_action: 'clear' });
  });

  it('answers 503 when a delivery could not be taken, so that Slack sends it again', async () => {
    const { url } = await setUp(() => Promise.reject(new Error('disk full')));
    expect((await postJson(url, BODY)).status).toBe(503);
  });

  it('answers 503 in time when nobody acknowledges, and a late ack does no harm', async () => {
    const late: Array<() => Promise<void>> = [];
    const takeAndHold: TakeDelivery = (delivery) => {
      late.push(() => delivery.ack());
      return new Promise<void>(() => {});
    };
    const { url } = await setUp(takeAndHold, { answerWithinMs: 30 });
    expect((await postJson(url, BODY)).status).toBe(503);
    await expect(late[0]?.()).rejects.toThrow('no longer waits');
  });
});
