// One database session shared by many connections. PGlite has exactly one session, a pool has several clients: this
// decides whose unit of work runs next.
//
// It owns the line of waiting units and the hold on the session. States: free → held (a unit left a transaction open)
// → free (its ReadyForQuery says idle, its connection closed, or it sat idle for too long). While held only the
// holder's units run; while free they run in the order they came. A connection that merely listens holds nothing.
//
// Plain JavaScript for the same reason as wire.mjs.

import { errorReply, queryMessage, readResponse, simpleQueryText } from './wire.mjs';

const ROLLBACK = queryMessage('ROLLBACK');

/**
 * @typedef {object} SharedSession
 * @property {(connectionId: number, unit: Buffer) => void} submit runs a unit now or when its turn comes
 * @property {(connectionId: number) => void} close forgets a connection and rolls back what it left open
 */

/**
 * @param {object} options
 * @param {(unit: Uint8Array) => Uint8Array} options.execute runs one unit on the session and returns its answer
 * @param {(connectionId: number, bytes: Uint8Array) => void} options.reply hands bytes to a connection
 * @param {(connectionId: number) => void} options.drop closes a connection that held a transaction for too long
 * @param {number} [options.idleInTransactionMs] how long a transaction may wait for its next statement
 * @returns {SharedSession}
 */
export function createSharedSession({ execute, reply, drop, idleInTransactionMs = 60_000 }) {
  /** @type {Array<{ connectionId: number, unit: Buffer }>} */
  let waiting = [];
  /** @type {number | null} */
  let holder = null;
  /** @type {Set<number>} */
  const listeners = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  let idleTimer;

  /** @param {Uint8Array} unit */
  function run(unit) {
    const response = readResponse(execute(unit));
    if (response.status === null) throw new Error('The embedded database stopped answering');
    for (const notification of response.notifications) {
      for (const id of listeners) reply(id, Buffer.from(notification));
    }
    return response;
  }

  /** @param {number} connectionId @param {Buffer} unit */
  function serve(connectionId, unit) {
    const sql = simpleQueryText(unit);
    if (sql !== null && /^\s*unlisten\b/i.test(sql)) {
      // It would end the subscription of every other connection too.
      const text = 'UNLISTEN is not available on the embedded database: close the connection instead';
      reply(connectionId, errorReply({ severity: 'ERROR', code: '0A000', text, ready: true }));
      return;
    }
    if (sql !== null && /^\s*listen\b/i.test(sql)) listeners.add(connectionId);
    clearTimeout(idleTimer);
    const response = run(unit);
    holder = response.status === 'I' ? null : connectionId;
    reply(connectionId, response.reply);
  }

  function serveWaiting() {
    for (;;) {
      const next = holder === null ? 0 : waiting.findIndex((entry) => entry.connectionId === holder);
      const [entry] = next < 0 ? [] : waiting.splice(next, 1);
      if (!entry) break;
      serve(entry.connectionId, entry.unit);
    }
    watchHolder();
  }

  function watchHolder() {
    clearTimeout(idleTimer);
    const held = holder;
    if (held === null) return;
    idleTimer = setTimeout(() => {
      const text = 'terminating connection due to idle-in-transaction timeout';
      reply(held, errorReply({ severity: 'FATAL', code: '25P03', text }));
      close(held);
      drop(held);
    }, idleInTransactionMs);
  }

  /** @param {number} connectionId */
  function close(connectionId) {
    listeners.delete(connectionId);
    waiting = waiting.filter((entry) => entry.connectionId !== connectionId);
    if (holder !== connectionId) return;
    run(ROLLBACK);
    holder = null;
    serveWaiting();
  }

  return {
    submit(connectionId, unit) {
      waiting.push({ connectionId, unit });
      serveWaiting();
    },
    close,
  };
}
