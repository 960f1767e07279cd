import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { joinSockets } from './join-sockets.ts';

/** A way to a server that can be shut: what was connected is cut, what comes is refused, until it opens again. */
export type TcpDoor = { port: number; shut(): void; open(): void; close(): Promise<void> };

export async function createTcpDoor(target: { host: string; port: number }): Promise<TcpDoor> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((near) => {
    if (!isOpen) return void near.destroy();
    const far = connect(target);
    joinSockets(near, far, sockets);
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one

  function shut(): void {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  }

  return {
    port,
    shut,
    open() {
      isOpen = true;
    },
    async close() {
      shut();
      server.close();
      await once(server, 'close');
    },
  };
}
