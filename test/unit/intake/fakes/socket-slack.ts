import { createServer } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { eventually } from './eventually.ts';

/** The part of Slack that Socket Mode needs, on loopback: `apps.connections.open` and the sockets. */
export interface SocketSlack {
  apiUrl: string;
  sockets: WebSocket[];
  opened: number;
  acks: Array<{ envelope_id: string; payload?: unknown }>;
  /** What `apps.connections.open` answers from now on; null answers well. */
  refuseWith(refusal: { status: number; error: string } | null): void;
  /** Sends an envelope over one socket. */
  send(socket: WebSocket | undefined, envelope: object): void;
  untilSockets(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function createSocketSlack(): Promise<SocketSlack> {
  let refusal: { status: number; error: string } | null = null;
  const server = createServer((request, response) => {
    request.resume();
    const port = portOf();
    const body = refusal ? { ok: false, error: refusal.error } : { ok: true, url: `ws://127.0.0.1:${port}/link` };
    response.writeHead(refusal?.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const wss = new WebSocketServer({ server });
  const portOf = (): number => {
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no address');
    return address.port;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const slack: SocketSlack = {
    apiUrl: `http://127.0.0.1:${portOf()}/api/`,
    sockets: [],
    opened: 0,
    acks: [],
    refuseWith(next) {
      refusal = next;
    },
    send: (socket, envelope) => socket?.send(JSON.stringify(envelope)),
    untilSockets: (count) => eventually(`${count} sockets`, () => slack.sockets.length === count),
    async close() {
      for (const socket of slack.sockets) socket.terminate();
      wss.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  wss.on('connection', (socket) => {
    slack.opened += 1;
    slack.sockets.push(socket);
    socket.on('message', (data) => slack.acks.push(JSON.parse(String(data))));
    socket.on('close', () => {
      slack.sockets.splice(slack.sockets.indexOf(socket), 1);
    });
    socket.send(JSON.stringify({ type: 'hello', num_connections: slack.sockets.length }));
  });
  return slack;
}
