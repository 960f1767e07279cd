import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { joinSockets } from './join-sockets.ts';

/**
 * Where a statement is stopped: before the server hears of it, or after the server did it and before the client hears
 * that. `match` sees the statement with its parameters; `after` must have been seen before it in its transaction.
 */
export type SqlHold = { match: RegExp; after?: RegExp; at: 'before' | 'after' };

/** A way to PostgreSQL on which single statements can be held, so that a process is killed exactly there. */
export type SqlGate = {
  port: number;
  /** Holds the next statement that matches, and all that follows on its connection. Resolves when it is held. */
  hold(hold: SqlHold): Promise<void>;
  close(): Promise<void>;
};

type Waiting = SqlHold & { held: () => void };

const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);
const HEADER_BYTES = 5;
const BOUNDARY = /^Q[\s\S]{4}(begin|commit|rollback)\0$/;

export async function createSqlGate(target: { host: string; port: number }): Promise<SqlGate> {
  const waiting = new Set<Waiting>();
  const sockets = new Set<Socket>();

  function take(statement: string, seen: string): Waiting | undefined {
    const hold = [...waiting].find(({ match, after }) => match.test(statement) && (!after || after.test(seen)));
    if (hold) waiting.delete(hold);
    return hold;
  }

  const server = createServer((near) => {
    const far = connect(target);
    joinSockets(near, far, sockets);
    pass({ near, far, take });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port, // a TCP server that listens has one
    hold: (hold) => new Promise((held) => void waiting.add({ ...hold, held })),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type Passing = { near: Socket; far: Socket; take: (statement: string, seen: string) => Waiting | undefined };

/** Passes a connection on, whole statements at a time, until one of them is held. */
function pass({ near, far, take }: Passing): void {
  let isStarted = false;
  let bytes = Buffer.alloc(0);
  let seen = '';
  let held: Waiting | undefined;

  near.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (held) return;
    for (let size = sizeOfNext(bytes, isStarted); size !== null && !held; size = sizeOfNext(bytes, isStarted)) {
      const statement = bytes.subarray(0, size);
      bytes = bytes.subarray(size);
      const text = statement.toString('latin1');
      held = isStarted ? take(text, seen) : undefined;
      isStarted = true;
      seen = BOUNDARY.test(text) ? '' : seen + text;
      if (held?.at !== 'before') far.write(statement);
      else held.held();
    }
  });
  far.on('data', (chunk: Buffer) => {
    if (held) held.held();
    else near.write(chunk);
  });
}

/** How long the next whole statement is, up to its Sync or Query message; null while it is not all there. */
function sizeOfNext(bytes: Buffer, isStarted: boolean): number | null {
  if (!isStarted) return bytes.length >= 4 && bytes.length >= bytes.readInt32BE(0) ? bytes.readInt32BE(0) : null;
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const type = bytes[at];
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) return null;
    // A password message of the start has no Sync behind it.
    if (type === SYNC || type === QUERY || type === 'p'.charCodeAt(0)) return end;
    at = end;
  }
  return null;
}
