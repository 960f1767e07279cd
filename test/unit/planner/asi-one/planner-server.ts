import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { PlannerEvent } from '../../../../src/domain/planner-event.ts';
import type { Logger } from '../../../../src/domain/ports/logger.ts';
import type { LegRequest } from '../../../../src/domain/ports/planner.ts';
import { type AsiOneOptions, createAsiOnePlanner } from '../../../../src/planner/asi-one/planner.ts';

export type ReceivedRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: unknown };

export type Responder = (response: ServerResponse, request: IncomingMessage) => void;

export type PlannerServer = { baseUrl: string; received: ReceivedRequest[] };

/** A planner on loopback that answers the first request with the first responder, and so on; the last one repeats. */
export async function startServer(...responders: Responder[]): Promise<PlannerServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
      responders[Math.min(received.length, responders.length) - 1]?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, received };
}

export function sse(...parts: string[]): Responder {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(parts.join(''));
  };
}

export function refusal(status: number, body = '', headers: Record<string, string> = {}): Responder {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

export const SILENT_LOGGER: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => SILENT_LOGGER,
};

export const API_KEY = 'sk_test_0123456789';

export function createTestPlanner(server: { baseUrl: string }, options: Partial<AsiOneOptions> = {}) {
  const planner = createAsiOnePlanner({
    apiKey: API_KEY,
    baseUrl: server.baseUrl,
    model: 'asi1',
    agents: [],
    idleTimeoutMs: 10_000,
    logger: SILENT_LOGGER,
    retry: { attempts: 3, baseDelayMs: 2, maxDelayMs: 4 },
    ...options,
  });
  onTestFinished(() => planner.close());
  return planner;
}

export const REQUEST: LegRequest = {
  sessionId: '4f9c2b18-6d1e-4a77-9f30-2c5b8e7a1d64',
  turns: [{ role: 'user', content: 'Plan a trip' }],
};

/** All events of one leg. */
export async function runLeg(
  planner: ReturnType<typeof createTestPlanner>,
  { request = REQUEST, signal = new AbortController().signal } = {},
): Promise<PlannerEvent[]> {
  const events: PlannerEvent[] = [];
  for await (const event of planner.openLeg(request, signal)) events.push(event);
  return events;
}
