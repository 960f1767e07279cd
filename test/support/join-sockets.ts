import type { Socket } from 'node:net';

/** Lets two ends of a connection end together, and keeps both in `open` for as long as they are. */
export function joinSockets(near: Socket, far: Socket, open: Set<Socket>): void {
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(socket);
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      open.delete(socket);
      other.destroy();
    });
  }
}
