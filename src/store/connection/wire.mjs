// The little of PostgreSQL's wire protocol that the embedded database needs to stand in for a server: cutting what a
// client sends into units of work, and reading transaction status and notifications out of what the database says.
//
// Plain JavaScript, because the thread that runs it cannot load TypeScript on Node 20; types are in JSDoc.
// Source: https://www.postgresql.org/docs/18/protocol-message-formats.html

const PROTOCOL_3 = 196_608;
const SSL_REQUEST = 80_877_103;

const SYNC = 0x53; // S
const QUERY = 0x51; // Q
const TERMINATE = 0x58; // X
const NOTIFICATION = 0x41; // A
const COMMAND_COMPLETE = 0x43; // C
const READY_FOR_QUERY = 0x5a; // Z

/** @typedef {'I' | 'T' | 'E'} TransactionStatus idle, in a transaction, in a failed transaction */

/**
 * Reads a new connection's first packet.
 *
 * @param {Buffer} bytes what has arrived so far
 * @returns {{ kind: 'incomplete' } | { kind: 'startup' | 'ssl' | 'other', rest: Buffer }}
 */
export function readFirstPacket(bytes) {
  if (bytes.length < 8) return { kind: 'incomplete' };
  const length = bytes.readInt32BE(0);
  if (bytes.length < length) return { kind: 'incomplete' };
  const code = bytes.readInt32BE(4);
  const rest = bytes.subarray(length);
  if (code === PROTOCOL_3) return { kind: 'startup', rest };
  return { kind: code === SSL_REQUEST ? 'ssl' : 'other', rest };
}

/**
 * Cuts a client's bytes into units: the messages up to a Sync or a simple Query, after which the database answers with
 * ReadyForQuery. Only whole units may run, for another client's may come between two of them.
 *
 * @param {Buffer} bytes
 * @returns {{ units: Buffer[], rest: Buffer, terminated: boolean }}
 */
export function takeUnits(bytes) {
  const units = [];
  let start = 0;
  let at = 0;
  while (at + 5 <= bytes.length) {
    const type = bytes[at];
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) break;
    if (type === TERMINATE) return { units, rest: Buffer.alloc(0), terminated: true };
    at = end;
    if (type === SYNC || type === QUERY) {
      units.push(bytes.subarray(start, at));
      start = at;
    }
  }
  return { units, rest: bytes.subarray(start), terminated: false };
}

/**
 * The SQL of a unit that is a simple query, or null.
 *
 * @param {Buffer} unit
 */
export function simpleQueryText(unit) {
  return unit[0] === QUERY ? unit.toString('utf8', 5, unit.length - 1) : null;
}

/**
 * Reads the database's answer to one unit. Notifications are taken out of it, because they belong to whoever listens
 * and not to the client whose unit happened to bring them.
 *
 * @param {Uint8Array} response
 * @returns {{ reply: Uint8Array, notifications: Buffer[], commands: string[], status: TransactionStatus | null }}
 *   `commands` are the tags of the statements that were completed; `status` is null when the answer has no
 *   ReadyForQuery, which a working session always sends
 */
export function readResponse(response) {
  const bytes = Buffer.from(response.buffer, response.byteOffset, response.byteLength);
  /** @type {Buffer[]} */
  const notifications = [];
  /** @type {Buffer[]} */
  const others = [];
  /** @type {string[]} */
  const commands = [];
  /** @type {TransactionStatus | null} */
  let status = null;
  let kept = 0;
  let at = 0;
  while (at + 5 <= bytes.length) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (bytes[at] === READY_FOR_QUERY) status = readStatus(bytes[at + 5]);
    if (bytes[at] === COMMAND_COMPLETE) commands.push(bytes.toString('utf8', at + 5, end - 1));
    if (bytes[at] === NOTIFICATION) {
      others.push(bytes.subarray(kept, at));
      notifications.push(bytes.subarray(at, end));
      kept = end;
    }
    at = end;
  }
  const reply = notifications.length === 0 ? response : Buffer.concat([...others, bytes.subarray(kept)]);
  return { reply, notifications, commands, status };
}

/**
 * @param {number | undefined} byte
 * @returns {TransactionStatus}
 */
function readStatus(byte) {
  if (byte === 0x49) return 'I';
  return byte === 0x54 ? 'T' : 'E';
}

/**
 * @param {string} type
 * @param {Buffer} body
 */
function message(type, body) {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** The answer to a startup packet: authenticated, UTF-8, ready. */
export function startupReply() {
  return Buffer.concat([
    message('R', Buffer.from([0, 0, 0, 0])),
    message('S', Buffer.from('client_encoding\0UTF8\0')),
    message('K', Buffer.alloc(8)),
    message('Z', Buffer.from('I')),
  ]);
}

/**
 * A simple Query message.
 *
 * @param {string} sql
 */
export function queryMessage(sql) {
  return message('Q', Buffer.from(`${sql}\0`));
}

/**
 * An ErrorResponse. `ready` appends a ReadyForQuery, for an error after which the connection goes on.
 *
 * @param {{ severity: 'ERROR' | 'FATAL', code: string, text: string, ready?: boolean }} error `code` is an SQLSTATE
 */
export function errorReply({ severity, code, text, ready = false }) {
  const fields = `S${severity}\0V${severity}\0C${code}\0M${text}\0\0`;
  const error = message('E', Buffer.from(fields));
  return ready ? Buffer.concat([error, message('Z', Buffer.from('I'))]) : error;
}
