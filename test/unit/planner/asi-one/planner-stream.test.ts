import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createTestPlanner, REQUEST, type Responder, runLeg, startServer } from './planner-server.ts';

const TEXT = 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n';

/** Writes parts of a stream and leaves it open. */
function open(response: ServerResponse, ...parts: string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(parts.join('') || ': hello\n\n');
}

/** A promise that the server's side settles. */
function signalled(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: () => resolve() };
}

describe('a planner stream', () => {
  it('is told as it comes, not when it ends', async () => {
    const responses: ServerResponse[] = [];
    const server = await startServer((response) => {
      responses.push(response);
      open(response, TEXT);
    });
    const events = createTestPlanner(server).openLeg(REQUEST, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'opened' });
    expect((await events.next()).value).toEqual({ type: 'text-delta', text: 'Hi' });
    responses[0]?.end('data: [DONE]\n\n');
    expect((await events.next()).value).toEqual({ type: 'end', outcome: { kind: 'finished' } });
    expect((await events.next()).done).toBe(true);
  });

  it('that is compressed is read', async () => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      response.end(gzipSync(`${TEXT}data: [DONE]\n\n`));
    });
    expect(await runLeg(createTestPlanner(server))).toContainEqual({ type: 'text-delta', text: 'Hi' });
  });

  it.each<[string, Responder]>([
    ['before its headers', (response) => response.socket?.destroy()],
    [
      'before its first event',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        setImmediate(() => response.socket?.destroy());
      },
    ],
    [
      'in the middle',
      (response) => {
        open(response, TEXT, 'data: {"cho');
        setImmediate(() => response.socket?.destroy());
      },
    ],
    [
      'after a pause status',
      (response) => {
        open(response, 'data: {"choices":[],"metadata":{"type":"plan_state","plan_status":"payment_requested"}}\n\n');
        setImmediate(() => response.socket?.resetAndDestroy());
      },
    ],
  ])('that breaks off %s is cut and never asked for again', async (_, breakOff) => {
    const server = await startServer(breakOff);
    const events = await runLeg(createTestPlanner(server));
    expect(events.at(-1)).toMatchObject({ type: 'end', outcome: { kind: 'cut' } });
    expect(events.filter((event) => event.type === 'end' || event.type === 'retrying')).toHaveLength(1);
    expect(server.received).toHaveLength(1);
  });

  it('that ends in order without having said anything is cut', async () => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end();
    });
    const events = await runLeg(createTestPlanner(server));
    expect(events).toEqual([{ type: 'opened' }, { type: 'end', outcome: { kind: 'cut', detail: expect.any(String) } }]);
  });

  it.each<[string, Responder]>([
    ['from the start', () => {}],
    ['after its first event', (response) => open(response, TEXT)],
  ])('that is silent %s fails as idle and is given up', async (_, respond) => {
    const closed = signalled();
    const server = await startServer((response, request) => {
      request.socket.on('close', () => closed.resolve());
      respond(response, request);
    });
    const events = await runLeg(createTestPlanner(server, { idleTimeoutMs: 500 }));
    expect(events.at(-1)).toMatchObject({ type: 'end', outcome: { kind: 'failed', code: 'planner_idle' } });
    await closed.promise;
    expect(server.received).toHaveLength(1);
  });

  it('is kept alive by comments alone', async () => {
    const server = await startServer((response) => {
      open(response);
      let left = 12;
      const timer = setInterval(() => {
        left -= 1;
        if (left > 0) response.write(': keep-alive\n\n');
        else response.end(`${TEXT}data: [DONE]\n\n`);
        if (left === 0) clearInterval(timer);
      }, 40);
    });
    const events = await runLeg(createTestPlanner(server, { idleTimeoutMs: 240 }));
    expect(events.at(-1)).toEqual({ type: 'end', outcome: { kind: 'finished' } });
  });

  it('is not held silent while its reader is busy', async () => {
    const server = await startServer((response) => {
      open(response, TEXT);
      setTimeout(() => response.end('data: [DONE]\n\n'), 20);
    });
    const events: string[] = [];
    for await (const event of createTestPlanner(server, { idleTimeoutMs: 100 }).openLeg(
      REQUEST,
      new AbortController().signal,
    )) {
      events.push(event.type === 'end' ? event.outcome.kind : event.type);
      if (event.type === 'text-delta') await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(events).toEqual(['opened', 'text-delta', 'finished']);
  });
});

describe('an aborted leg', () => {
  it.each<[string, Responder]>([
    ['while it waits for headers', () => {}],
    ['while it waits for more', (response) => open(response)],
  ])('%s ends at once, without an end, and its connection is destroyed', async (_, respond) => {
    const asked = signalled();
    const closed = signalled();
    const server = await startServer((response, request) => {
      request.socket.on('close', () => closed.resolve());
      respond(response, request);
      asked.resolve();
    });
    const controller = new AbortController();
    const leg = runLeg(createTestPlanner(server), { request: REQUEST, signal: controller.signal });
    await asked.promise;
    controller.abort();
    expect((await leg).filter((event) => event.type !== 'opened')).toEqual([]);
    await closed.promise;
  });

  it('before it began sends nothing', async () => {
    const server = await startServer((response) => open(response));
    expect(await runLeg(createTestPlanner(server), { request: REQUEST, signal: AbortSignal.abort() })).toEqual([]);
    expect(server.received).toEqual([]);
  });

  it('tells nothing more of what had arrived', async () => {
    const server = await startServer((response) => open(response, TEXT, TEXT, TEXT));
    const controller = new AbortController();
    const types: string[] = [];
    for await (const event of createTestPlanner(server).openLeg(REQUEST, controller.signal)) {
      types.push(event.type);
      if (event.type === 'text-delta') controller.abort();
    }
    expect(types).toEqual(['opened', 'text-delta']);
  });

  it('that its reader leaves destroys its connection too', async () => {
    const responses: ServerResponse[] = [];
    const server = await startServer((response) => {
      responses.push(response);
      open(response, TEXT);
    });
    for await (const event of createTestPlanner(server).openLeg(REQUEST, new AbortController().signal)) {
      if (event.type === 'text-delta') break;
    }
    const [response] = responses;
    if (response && !response.closed) await once(response, 'close');
    expect(response?.closed).toBe(true);
  });
});
