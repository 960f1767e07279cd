// The thread that runs the embedded database, so that no query holds up the event loop that acknowledges Slack. It
// speaks PostgreSQL's wire protocol with the sockets of embedded-socket.ts, over messages.
//
// States: starting → ready → stopped, or dead by an error, which the other side sees as the thread's 'error' event.
// Plain JavaScript, see embedded-options.mjs.

import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { startParams } from './embedded-options.mjs';
import { SharedSession } from './shared-session.mjs';
import { readFirstPacket, startupReply, takeUnits } from './wire.mjs';

/**
 * @typedef {{ kind: 'open' | 'close', id: number } | { kind: 'data', id: number, bytes: Uint8Array } | { kind: 'stop' }} ToThread
 * @typedef {{ kind: 'ready' | 'stopped' } | { kind: 'data', id: number, bytes: Uint8Array } | { kind: 'closed', id: number }} FromThread
 * @typedef {{ directory: string, searchPath: string, idleInTransactionMs: number }} ThreadOptions
 */

if (!parentPort) throw new Error('embedded-thread.mjs runs in a worker thread only');
const port = parentPort;
/** @type {ThreadOptions} */
const options = workerData;

const database = await PGlite.create(options.directory, {
  startParams: startParams(options.searchPath),
  relaxedDurability: false,
});

/** Connections by id, with the bytes of a unit that has not arrived in full. @type {Map<number, Connection>} */
const connections = new Map();
/** @typedef {{ started: boolean, pending: Buffer }} Connection */

/** @param {FromThread} message */
const send = (message) => port.postMessage(message);

const session = new SharedSession({
  execute: (unit) => database.execProtocolRawSync(unit),
  reply: (id, bytes) => send({ kind: 'data', id, bytes }),
  drop: disconnect,
  idleInTransactionMs: options.idleInTransactionMs,
});

/** @param {number} id */
function disconnect(id) {
  if (!connections.delete(id)) return;
  session.close(id);
  send({ kind: 'closed', id });
}

/** @param {number} id @param {Connection} connection */
function startUp(id, connection) {
  const first = readFirstPacket(connection.pending);
  if (first.kind === 'incomplete') return;
  connection.pending = first.rest;
  if (first.kind === 'ssl') send({ kind: 'data', id, bytes: Buffer.from('N') });
  else if (first.kind === 'other') disconnect(id);
  else {
    connection.started = true;
    send({ kind: 'data', id, bytes: startupReply() });
  }
}

/** @param {number} id @param {Uint8Array} bytes */
function receive(id, bytes) {
  const connection = connections.get(id);
  if (!connection) return;
  connection.pending = Buffer.concat([connection.pending, bytes]);
  if (!connection.started) startUp(id, connection);
  if (!connection.started) return;
  const { units, rest, terminated } = takeUnits(connection.pending);
  connection.pending = rest;
  for (const unit of units) session.submit(id, unit);
  if (terminated) disconnect(id);
}

async function stop() {
  for (const id of [...connections.keys()]) disconnect(id);
  await database.close();
  send({ kind: 'stopped' });
  port.close();
}

port.on('message', (/** @type {ToThread} */ message) => {
  if (message.kind === 'open') connections.set(message.id, { started: false, pending: Buffer.alloc(0) });
  else if (message.kind === 'data') receive(message.id, message.bytes);
  else if (message.kind === 'close') disconnect(message.id);
  else void stop();
});
send({ kind: 'ready' });
