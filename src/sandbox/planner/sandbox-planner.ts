import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAnswering } from './answering.ts';
import { createGates } from './gates.ts';
import { refuse } from './refusal.ts';
import { createRequestLog, type RecordedRequest } from './request-log.ts';
import type { Scenario } from './scenario.ts';
import { createScriptChoice, type Match } from './script-choice.ts';
import { createSessions } from './sessions.ts';

/** The key that the sandbox accepts unless told otherwise. */
export const SANDBOX_API_KEY = 'sk_sandbox';

/**
 * - `port`: 0, a free one. `apiKey`: `SANDBOX_API_KEY`.
 * - `scenario`: what plays when nothing else was chosen: `happy`.
 * - `speed`: waits of scripts are divided by it; `Infinity` for none. Default 1.
 * - `pauseTtlMs`: how long a paused plan is kept: for ever.
 * - `maxAgents`: more are refused: 20.
 */
export type SandboxPlannerOptions = {
  port?: number;
  apiKey?: string;
  scenario?: string | Scenario;
  speed?: number;
  pauseTtlMs?: number;
  maxAgents?: number;
  now?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** A scripted ASI:One planner on loopback. See README.md beside this file. */
export type SandboxPlanner = {
  /** To be given to a client as the API's base, without a trailing slash: `http://127.0.0.1:port/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly requests: readonly RecordedRequest[];
  /** Requests that were turned away for their own fault; a correct client leaves it empty. */
  readonly refused: readonly RecordedRequest[];
  readonly openStreams: number;
  use(scenario: string | Scenario, options?: { times?: number; match?: Match }): void;
  release(hold: string, times?: number): void;
  /** Drops the paused plan of a session (or of all): the next request starts over, as after the vendor's time limit. */
  forget(sessionId?: string): void;
  waitFor<T>(
    predicate: (requests: readonly RecordedRequest[]) => T,
    options?: { timeoutMs?: number },
  ): Promise<NonNullable<T>>;
  /** Forgets rules, unused releases, sessions and recorded requests; streams under way go on. */
  reset(): void;
  /** Breaks every connection and stops listening. */
  close(): Promise<void>;
};

const PATH = '/v1/chat/completions';

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  if (ms >= 1) await delay(ms, undefined, { signal });
}

/** Starts the server. Rejects when the port is taken or the default scenario is faulty. */
export async function createSandboxPlanner(options: SandboxPlannerOptions = {}): Promise<SandboxPlanner> {
  const { apiKey = SANDBOX_API_KEY, speed = 1, now = Date.now, sleep = sleepFor } = options;
  const log = createRequestLog();
  const gates = createGates();
  const sessions = createSessions({ pauseTtlMs: options.pauseTtlMs ?? Number.POSITIVE_INFINITY, now });
  const choice = createScriptChoice({ fallback: options.scenario ?? 'happy' });
  const rules = { apiKey, maxAgents: options.maxAgents ?? 20 };
  const answer = createAnswering({
    ...{ log, gates, sessions, choice, rules, now },
    sleep: (ms, signal) => sleep(ms / speed, signal),
  });
  const server = createServer((request, response) => route(request, response, answer));
  const baseUrl = await listen(server, options.port ?? 0);

  return {
    baseUrl,
    apiKey,
    requests: log.requests,
    get refused() {
      return log.requests.filter((request) => request.kind === 'refused');
    },
    get openStreams() {
      return log.requests.filter((request) => request.state === 'open').length;
    },
    use: choice.use,
    release: gates.release,
    forget: sessions.forget,
    waitFor: log.waitFor,
    reset() {
      choice.reset();
      gates.reset();
      sessions.reset();
      log.clear();
    },
    close: () => close(server),
  };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function route(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const path = new URL(request.url ?? '/', 'http://sandbox').pathname;
  if (path === PATH && request.method === 'POST') {
    answer(request, response).catch((error: unknown) => fail(response, error));
    return;
  }
  const { status, body } =
    path === PATH
      ? refuse(405, `${PATH} takes POST`, 'method_not_allowed')
      : refuse(404, `There is no ${path}`, 'not_found');
  request.resume();
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A fault of the sandbox itself: told on stderr, because the client can only see that the answer breaks off. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return; // the client went while its request was read
  process.stderr.write(`The sandbox planner failed: ${error instanceof Error ? error.stack : String(error)}\n`);
  response.destroy();
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address object.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
