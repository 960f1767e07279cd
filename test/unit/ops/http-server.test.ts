import { Agent, get } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../../src/ops/http-server.ts';
import { createMemoryLogger } from '../intake/fakes/memory-logger.ts';

const servers: HttpServer[] = [];

async function serve(options: Partial<HttpServerOptions> = {}): Promise<string> {
  const server = createHttpServer({
    port: 0,
    slackListener: null,
    checks: {},
    renderMetrics: async () => ({ contentType: 'text/plain', body: 'steward_runs 1\n' }),
    logger: createMemoryLogger(),
    ...options,
  });
  servers.push(server);
  return `http://127.0.0.1:${await server.start()}`;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

describe('the HTTP server', () => {
  it('is healthy while it lives', async () => {
    const down = () => Promise.reject(new Error('down'));
    expect((await fetch(`${await serve({ checks: { database: down } })}/healthz`)).status).toBe(200);
  });

  it('is ready when every check passes', async () => {
    const url = await serve({ checks: { database: async () => undefined, queue: () => undefined } });
    const response = await fetch(`${url}/readyz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ready', up: ['database', 'queue'] });
  });

  it('names what is not up, and keeps the reason for the log', async () => {
    const logger = createMemoryLogger();
    const checks = {
      database: async () => undefined,
      queue: () => Promise.reject(new Error('refused 10.0.0.1')),
      slack: () => {
        throw new Error('no socket');
      },
      silent: () => new Promise<void>(() => {}),
    };
    const response = await fetch(`${await serve({ checks, logger, checkWithinMs: 20 })}/readyz`);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'not ready', down: ['queue', 'slack', 'silent'] });
    expect(logger.lines.map((line) => line.fields)).toContainEqual({ check: 'queue', problem: 'refused 10.0.0.1' });
  });

  it('serves the metrics', async () => {
    const response = await fetch(`${await serve()}/metrics?x=1`);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toBe('steward_runs 1\n');
  });

  it('answers 500 when the metrics fail, and lives on', async () => {
    const url = await serve({ renderMetrics: () => Promise.reject(new Error('no')) });
    expect((await fetch(`${url}/metrics`)).status).toBe(500);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("hands Slack's path to its listener, and answers 404 elsewhere", async () => {
    const url = await serve({ slackListener: (_request, response) => response.writeHead(202).end() });
    expect((await fetch(`${url}/slack/events`, { method: 'POST' })).status).toBe(202);
    for (const path of ['/', '/slack', '/slack/events/x', '/healthz/', '//', '/%']) {
      expect((await fetch(`${url}${path}`)).status).toBe(404);
    }
    expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(404);
  });

  it("has nothing at Slack's path when Slack comes in by sockets", async () => {
    expect((await fetch(`${await serve()}/slack/events`, { method: 'POST' })).status).toBe(404);
  });

  it('says which port is taken and what to do', async () => {
    const port = Number(new URL(await serve()).port);
    const second = createHttpServer({
      port,
      slackListener: null,
      checks: {},
      renderMetrics: async () => ({ contentType: '', body: '' }),
      logger: createMemoryLogger(),
    });
    await expect(second.start()).rejects.toMatchObject({
      name: 'StewardError',
      message: `Cannot listen on port ${port}: another process listens there; stop it or set PORT to a free port.`,
    });
    await second.stop();
  });

  it('stops although a client keeps its connection open', async () => {
    const url = await serve();
    const agent = new Agent({ keepAlive: true });
    await new Promise<void>((resolve, reject) => {
      get(`${url}/healthz`, { agent }, (response) => response.resume().on('end', resolve)).on('error', reject);
    });
    await servers.pop()?.stop();
    agent.destroy();
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('lets a request under way end before it stops, and then closes its connection', async () => {
    let finish: () => void = () => undefined;
    let begun: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (begun = resolve));
    const url = await serve({
      slackListener: (_request, response) => {
        finish = () => response.end('done');
        begun();
      },
    });
    const agent = new Agent({ keepAlive: true });
    const answer = new Promise<string>((resolve, reject) => {
      get(`${url}/slack/events`, { agent }, (response) => response.on('data', (data) => resolve(String(data)))).on(
        'error',
        reject,
      );
    });
    await waiting;
    const stopped = servers.pop()?.stop();
    finish();
    expect(await answer).toBe('done');
    const answeredAt = performance.now();
    await stopped;
    expect(performance.now() - answeredAt).toBeLessThan(1_000);
    agent.destroy();
  });
});
