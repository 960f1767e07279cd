import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { isJson, type Json } from '../json.ts';
import type { SandboxState } from '../state.ts';

/**
 * The app's open sockets. Owns them, their server and one ping timer.
 *
 * A socket goes: opened with a single-use ticket → ready (it was greeted) → draining (asked to reconnect) → closed.
 */
export type SocketPool = {
  /** A new address for one socket. */
  openUrl(): string;
  /** The next ready socket in turn. */
  next(): WebSocket | undefined;
  readyCount(): number;
  /** Resolves at once if a socket is ready, else when one is, or when the pool closes. */
  whenReady(): Promise<void>;
  refresh(): void;
  drop(): void;
  close(): Promise<void>;
};

type PoolInput = {
  state: SandboxState;
  server: Server;
  onMessage: (message: Json) => void;
  onClose: (socket: WebSocket) => void;
};

const MAX_SOCKETS = 10;
const PING_INTERVAL_MS = 5_000;
const GOODBYE_MS = 200;

/** Sends one JSON message. */
export function sendJson(socket: WebSocket, message: Json): void {
  socket.send(JSON.stringify(message));
}

function greet(socket: WebSocket, input: { appId: string; count: number }): void {
  const info = { host: 'sandbox', approximate_connection_time: 18_060 };
  const app = { app_id: input.appId };
  sendJson(socket, { type: 'hello', num_connections: input.count, connection_info: app, debug_info: info });
}

type Gate = { tickets: Set<string>; wss: WebSocketServer; onSocket: (socket: WebSocket) => void };

/** Lets in who brings a ticket that was not used yet. */
function admit({ tickets, wss, onSocket }: Gate) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const ticket = new URL(request.url ?? '/', 'ws://sandbox').searchParams.get('ticket') ?? '';
    if (tickets.delete(ticket)) wss.handleUpgrade(request, socket, head, onSocket);
    else socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
  };
}

/** Says goodbye; cuts the socket if the app does not answer that. */
function closeSocket(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), GOODBYE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(1001);
  });
}

function parse(text: string): Json {
  const message: unknown = JSON.parse(text);
  return isJson(message) ? message : {};
}

/** Creates the pool on the sandbox's server. */
export function createSocketPool({ state, server, onMessage, onClose }: PoolInput): SocketPool {
  const sockets = new Set<WebSocket>();
  const draining = new WeakSet<WebSocket>();
  const tickets = new Set<string>();
  const waiting: (() => void)[] = [];
  const wss = new WebSocketServer({ noServer: true });
  let turn = 0;

  const ping = setInterval(() => {
    for (const socket of sockets) socket.ping();
  }, PING_INTERVAL_MS).unref();
  const ready = () => [...sockets].filter((socket) => socket.readyState === socket.OPEN && !draining.has(socket));
  const wake = () => {
    for (const resume of waiting.splice(0)) resume();
  };

  const onSocket = (socket: WebSocket) => {
    if (sockets.size >= MAX_SOCKETS) {
      sendJson(socket, { type: 'disconnect', reason: 'too_many_websockets' });
      return socket.close();
    }
    sockets.add(socket);
    socket.on('message', (data) => onMessage(parse(String(data))));
    socket.on('close', () => {
      sockets.delete(socket);
      onClose(socket);
      state.changes.notify();
    });
    greet(socket, { appId: state.setup.appId, count: sockets.size });
    wake();
    state.changes.notify();
  };
  server.on('upgrade', admit({ tickets, wss, onSocket }));

  return {
    openUrl() {
      const ticket = state.ids.secret();
      tickets.add(ticket);
      return `${state.baseUrl.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=${state.setup.appId}`;
    },
    next() {
      const open = ready();
      turn += 1;
      return open[turn % Math.max(1, open.length)];
    },
    readyCount: () => ready().length,
    whenReady: () => (ready().length > 0 ? Promise.resolve() : new Promise((resume) => waiting.push(resume))),
    refresh() {
      for (const socket of ready()) {
        draining.add(socket);
        sendJson(socket, { type: 'disconnect', reason: 'refresh_requested', debug_info: { host: 'sandbox' } });
      }
      state.changes.notify();
    },
    drop() {
      for (const socket of sockets) socket.terminate();
    },
    async close() {
      clearInterval(ping);
      wake();
      await Promise.all([...sockets].map(closeSocket));
      await new Promise((resolve) => wss.close(resolve));
    },
  };
}
