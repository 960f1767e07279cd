import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../domain/ports/logger.ts';
import { StewardError } from '../errors.ts';
import { type Checks, runChecks } from './readiness.ts';

/** What Prometheus reads at `/metrics`. */
export type RenderedMetrics = { contentType: string; body: string };

export type HttpServerOptions = {
  /** 0 takes any free port. */
  port: number;
  /** Answers `/slack/events`; null where Slack comes in by sockets, or not at all. */
  slackListener: RequestListener | null;
  checks: Checks;
  renderMetrics: () => Promise<RenderedMetrics>;
  logger: Logger;
  /** A check that takes longer counts as not up. Default 2,000 ms. */
  checkWithinMs?: number;
};

/**
 * The process's one HTTP server: Slack's deliveries, `/healthz`, `/readyz`, `/metrics` (contract C41).
 *
 * States: created → listening → stopped.
 */
export interface HttpServer {
  /** Resolves with the port. Rejects with a `StewardError` that says why when it cannot be had. */
  start(): Promise<number>;
  /** Takes no new connections, lets requests under way end, and closes kept-alive ones. At most 5 s. */
  stop(): Promise<void>;
}

/** Slack sends at once; whoever takes longer is holding a connection for nothing. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than any delivery may take. */
const STOP_WITHIN_MS = 5_000;

function send(response: ServerResponse, status: number, body: string, contentType: string): void {
  response.writeHead(status, { 'content-type': contentType });
  response.end(body);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, `${JSON.stringify(body)}\n`, 'application/json; charset=utf-8');
}

async function sendReadiness(options: HttpServerOptions, response: ServerResponse): Promise<void> {
  const { checks, logger, checkWithinMs = 2_000 } = options;
  const results = await runChecks(checks, checkWithinMs);
  const down = results.filter((result) => result.problem !== null);
  for (const { name, problem } of down) logger.warn({ check: name, problem }, 'not_ready');
  // Names only: why something is down is for the log, which strangers cannot read.
  if (down.length === 0) sendJson(response, 200, { status: 'ready', up: results.map((result) => result.name) });
  else sendJson(response, 503, { status: 'not ready', down: down.map((result) => result.name) });
}

async function answer(options: HttpServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0];
  if (path === '/slack/events' && options.slackListener !== null) return options.slackListener(request, response);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (isRead && path === '/readyz') return sendReadiness(options, response);
  if (isRead && path === '/metrics') {
    const metrics = await options.renderMetrics();
    return send(response, 200, metrics.body, metrics.contentType);
  }
  return sendJson(response, 404, { error: 'not found' });
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(portError(port, error));
    server.once('error', fail);
    server.listen(port, () => {
      server.off('error', fail);
      const address = server.address();
      resolve(isAddress(address) ? address.port : port);
    });
  });
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

function portError(port: number, error: NodeJS.ErrnoException): StewardError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another process listens there; stop it or set PORT to a free port',
    EACCES: 'this user may not listen there; set PORT to 1024 or above',
  };
  const why = reasons[error.code ?? ''] ?? error.message;
  return new StewardError(`Cannot listen on port ${port}: ${why}.`, {
    code: 'config_invalid',
    retryable: false,
    cause: error,
  });
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { logger } = options;
  let stopping = false;
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    // A connection that is kept alive by its last answer would hold up the stop.
    response.once('close', () => stopping && server.closeIdleConnections());
    answer(options, request, response).catch((error: unknown) => {
      logger.error({ err: error }, 'http_request_failed');
      if (!response.headersSent) sendJson(response, 500, { error: 'internal error' });
    });
  });

  return {
    start: () => listenOn(server, options.port),
    async stop() {
      if (!server.listening) return;
      stopping = true;
      const tooLong = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      clearTimeout(tooLong);
    },
  };
}
