import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { API_KEY, createTestPlanner, REQUEST, refusal, runLeg, sse, startServer } from './planner-server.ts';

const ANSWER = sse('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
const OPENED_AND_FINISHED = [
  { type: 'opened' },
  { type: 'text-delta', text: 'Hi' },
  { type: 'end', outcome: { kind: 'finished' } },
];

describe('a refusal', () => {
  it.each([
    [401, '{"error":{"message":"bad key"}}', 'planner_key_refused', 'bad key'],
    [403, '{"message":"no access"}', 'planner_key_refused', 'no access'],
    [404, '{"detail":"model asi9 not found"}', 'planner_model_unknown', 'model asi9 not found'],
    [400, '', 'planner_error', '400'],
    [307, '', 'planner_error', '307'],
    [422, '{"detail":[{"loc":["body","agents"],"msg":"too many"}]}', 'planner_error', 'body.agents: too many'],
    [500, '{"error":"boom"}', 'planner_error', 'boom'],
    [504, '<html><body><h1>504 Gateway Time-out</h1></body></html>', 'planner_error', 'Gateway Time-out'],
  ])('with %s %s is told as it is, and not sent again', async (status, body, code, words) => {
    const server = await startServer(refusal(status, body, { location: '/v1/elsewhere' }), ANSWER);
    const events = await runLeg(createTestPlanner(server));
    expect(events).toEqual([
      { type: 'end', outcome: { kind: 'failed', code, detail: expect.stringContaining(words) } },
    ]);
    expect(server.received).toHaveLength(1);
  });

  it('is told without the key or the session', async () => {
    const body = JSON.stringify({ error: { message: `Bearer ${API_KEY} may not use session ${REQUEST.sessionId}` } });
    const server = await startServer(refusal(401, body));
    const text = JSON.stringify(await runLeg(createTestPlanner(server)));
    expect(text).not.toContain(API_KEY);
    expect(text).not.toContain(REQUEST.sessionId);
    expect(text).toContain('may not use session');
  });

  it('with an endless body is told by its beginning', async () => {
    const server = await startServer((response) => {
      response.writeHead(500);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', write);
      write();
    });
    const events = await runLeg(createTestPlanner(server));
    expect(events).toMatchObject([{ type: 'end', outcome: { kind: 'failed', code: 'planner_error' } }]);
    expect(JSON.stringify(events).length).toBeLessThan(2_200);
  });

  it('whose body never comes ends as silence', async () => {
    const server = await startServer((response) => {
      response.writeHead(500);
      response.flushHeaders();
    });
    const events = await runLeg(createTestPlanner(server, { idleTimeoutMs: 50 }));
    expect(events).toMatchObject([{ type: 'end', outcome: { kind: 'failed', code: 'planner_idle' } }]);
  });
});

describe('a request that did not reach the planner', () => {
  it.each([
    [429, 'planner_rate_limited', 'rate limited'],
    [503, 'planner_unavailable', 'unavailable'],
  ])('because of %s goes out again, visibly, until it is taken', async (status, code, reason) => {
    const server = await startServer(refusal(status), refusal(status), ANSWER);
    const events = await runLeg(createTestPlanner(server));
    expect(events).toEqual([
      { type: 'retrying', attempt: 2, waitMs: expect.any(Number), code, reason },
      { type: 'retrying', attempt: 3, waitMs: expect.any(Number), code, reason },
      ...OPENED_AND_FINISHED,
    ]);
    expect(server.received).toHaveLength(3);
    expect(server.received[2]?.body).toEqual(server.received[0]?.body);
  });

  it.each([
    [429, 'planner_rate_limited'],
    [503, 'planner_unavailable'],
  ])('because of %s fails in the end', async (status, code) => {
    const server = await startServer(refusal(status, '{"error":"busy"}'));
    const events = await runLeg(createTestPlanner(server));
    expect(events.at(-1)).toEqual({
      type: 'end',
      outcome: { kind: 'failed', code, detail: expect.stringContaining('busy') },
    });
    expect(server.received).toHaveLength(3);
  });

  it('waits as long as the planner asks', async () => {
    const server = await startServer(refusal(429, '', { 'retry-after': '7' }), ANSWER);
    const waits: number[] = [];
    const planner = createTestPlanner(server, {
      setTimer(callback, delayMs) {
        const isIdleLimit = delayMs === 10_000;
        if (!isIdleLimit) waits.push(delayMs);
        const timer = setTimeout(callback, isIdleLimit ? delayMs : 0);
        return () => clearTimeout(timer);
      },
    });
    const events = await runLeg(planner);
    expect(events[0]).toEqual({
      type: 'retrying',
      attempt: 2,
      waitMs: 7_000,
      code: 'planner_rate_limited',
      reason: 'rate limited',
    });
    expect(waits).toEqual([7_000]);
  });

  it('because its port is one that fetch forbids fails as unavailable', async () => {
    const events = await runLeg(createTestPlanner({ baseUrl: 'http://127.0.0.1:1/v1' }));
    expect(events.at(-1)).toMatchObject({ type: 'end', outcome: { kind: 'failed', code: 'planner_unavailable' } });
  });

  it('because nobody listens goes out again, then fails as unavailable', async () => {
    const port = await closedPort();
    const events = await runLeg(createTestPlanner({ baseUrl: `http://127.0.0.1:${port}/v1` }));
    expect(events).toEqual([
      {
        type: 'retrying',
        attempt: 2,
        waitMs: expect.any(Number),
        code: 'planner_unavailable',
        reason: 'connection refused',
      },
      {
        type: 'retrying',
        attempt: 3,
        waitMs: expect.any(Number),
        code: 'planner_unavailable',
        reason: 'connection refused',
      },
      {
        type: 'end',
        outcome: { kind: 'failed', code: 'planner_unavailable', detail: expect.stringContaining('ECONNREFUSED') },
      },
    ]);
  });

  it('because nobody listens at any address of the host fails as unavailable', async () => {
    const port = await closedPort();
    const events = await runLeg(createTestPlanner({ baseUrl: `http://localhost:${port}/v1` }));
    expect(events[0]).toMatchObject({ type: 'retrying', reason: 'connection refused' });
  });

  it('because its host has no address goes out again, then fails as unavailable', async () => {
    const events = await runLeg(createTestPlanner({ baseUrl: 'http://planner.invalid/v1' }));
    expect(events[0]).toMatchObject({ type: 'retrying', reason: 'name not found' });
    expect(events.at(-1)).toMatchObject({ outcome: { kind: 'failed', code: 'planner_unavailable' } });
  });

  it('stops waiting at once when it is aborted', async () => {
    const server = await startServer(refusal(503, '', { 'retry-after': '60' }));
    const controller = new AbortController();
    const types: string[] = [];
    for await (const event of createTestPlanner(server).openLeg(REQUEST, controller.signal)) {
      types.push(event.type);
      controller.abort();
    }
    expect(types).toEqual(['retrying']);
    expect(server.received).toHaveLength(1);
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
