import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Call = { method: string; args: Record<string, unknown>; authorization: string | undefined };
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown; drop?: boolean };
type Handler = (call: Call) => Answer | Promise<Answer>;
type FileHandler = (request: IncomingMessage, response: ServerResponse) => void;

export type FakeSlack = {
  apiUrl: string;
  origin: string;
  calls: Call[];
  /** Says how a Web API method answers. A method that is not set up is refused as unknown. */
  on(method: string, handler: Handler): void;
  /** Serves a path outside the Web API. */
  serve(path: string, handler: FileHandler): void;
  close(): Promise<void>;
};

export const ok = (body: object): Answer => ({ body: { ok: true, ...body } });
export const refuse = (error: string): Answer => ({ body: { ok: false, error } });

/** A real HTTP server on loopback that speaks the Web API's dialect. */
export async function startFakeSlack(): Promise<FakeSlack> {
  const handlers = new Map<string, Handler>();
  const files = new Map<string, FileHandler>();
  const calls: Call[] = [];

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://slack').pathname;
    const file = files.get(path);
    if (file) return file(request, response);
    const call = await readCall(request, path);
    calls.push(call);
    const answer = (await handlers.get(call.method)?.(call)) ?? refuse('unknown_method');
    if (answer.drop) return request.socket.destroy();
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    apiUrl: `${origin}/api/`,
    origin,
    calls,
    on: (method, handler) => handlers.set(method, handler),
    serve: (path, handler) => files.set(path, handler),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readCall(request: IncomingMessage, path: string): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const args = Object.fromEntries([...form].map(([key, value]) => [key, parseArgument(value)]));
  return { method: path.replace('/api/', ''), args, authorization: request.headers.authorization };
}

function parseArgument(value: string): unknown {
  return /^[[{]/.test(value) ? JSON.parse(value) : value;
}
