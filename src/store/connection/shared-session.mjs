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

/** `UNLISTEN`, behind whitespace and comments. */
const UNLISTEN = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*unlisten\b/i;

/**
 * @typedef {object} SharedSessionOptions
 * @property {(unit: Uint8Array) => Uint8Array} execute runs one unit on the session and returns its answer
 * @property {(connectionId: number, bytes: Uint8Array) => void} reply hands bytes to a connection
 * @property {(connectionId: number) => void} drop closes a connection that held a transaction for too long
 * @property {number} [idleInTransactionMs] how long a transaction may wait for its next statement, a minute by default
 */

export class SharedSession {
  #options;
  /** @type {Array<{ connectionId: number, unit: Buffer }>} */
  #waiting = [];
  /** @type {number | null} */
  #holder = null;
  /** @type {Set<number>} */
  #listeners = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #idleTimer;

  /** @param {SharedSessionOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /**
   * Runs a unit now, or when its turn comes.
   *
   * @param {number} connectionId
   * @param {Buffer} unit
   */
  submit(connectionId, unit) {
    this.#waiting.push({ connectionId, unit });
    this.#serveWaiting();
  }

  /**
   * Forgets a connection and rolls back what it left open.
   *
   * @param {number} connectionId
   */
  close(connectionId) {
    this.#listeners.delete(connectionId);
    this.#waiting = this.#waiting.filter((entry) => entry.connectionId !== connectionId);
    if (this.#holder !== connectionId) return;
    this.#run(ROLLBACK);
    this.#holder = null;
    this.#serveWaiting();
  }

  #serveWaiting() {
    for (;;) {
      const holder = this.#holder;
      const next = holder === null ? 0 : this.#waiting.findIndex((entry) => entry.connectionId === holder);
      const [entry] = next < 0 ? [] : this.#waiting.splice(next, 1);
      if (!entry) break;
      this.#serve(entry.connectionId, entry.unit);
    }
    this.#watchHolder();
  }

  /** @param {number} connectionId @param {Buffer} unit */
  #serve(connectionId, unit) {
    const sql = simpleQueryText(unit);
    if (sql !== null && UNLISTEN.test(sql)) {
      // It would end the subscription of every other connection too.
      const text = 'UNLISTEN is not available on the embedded database: close the connection instead';
      this.#options.reply(connectionId, errorReply({ severity: 'ERROR', code: '0A000', text, ready: true }));
      return;
    }
    const response = this.#run(unit);
    if (response.commands.includes('LISTEN')) this.#listeners.add(connectionId);
    this.#holder = response.status === 'I' ? null : connectionId;
    this.#options.reply(connectionId, response.reply);
  }

  /** @param {Uint8Array} unit */
  #run(unit) {
    const response = readResponse(this.#options.execute(unit));
    if (response.status === null) throw new Error('the session stopped answering');
    for (const notification of response.notifications) {
      for (const id of this.#listeners) this.#options.reply(id, notification);
    }
    return response;
  }

  /** A transaction that waits too long for its next statement would hold up everyone: it is ended, as servers do. */
  #watchHolder() {
    clearTimeout(this.#idleTimer);
    const holder = this.#holder;
    if (holder === null) return;
    this.#idleTimer = setTimeout(() => {
      const text = 'terminating connection due to idle-in-transaction timeout';
      this.#options.reply(holder, errorReply({ severity: 'FATAL', code: '25P03', text }));
      this.close(holder);
      this.#options.drop(holder);
    }, this.#options.idleInTransactionMs ?? 60_000);
  }
}
