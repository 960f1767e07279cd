import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { StewardError } from '../../errors.ts';
import type { FromThread, ThreadOptions, ToThread } from './embedded-thread.mjs';

/** How long an orderly close may take; a killed database repairs itself when it is opened again. */
const STOP_GRACE_MS = 10_000;

/** A socket to the thread, with the methods of `net.Socket` that node-postgres calls. */
class ThreadSocket extends Duplex {
  readonly #send: (bytes: Uint8Array) => void;
  readonly #open: () => void;
  readonly #closeRemote: () => void;

  constructor(link: { open: () => void; send: (bytes: Uint8Array) => void; close: () => void }) {
    super();
    this.#open = link.open;
    this.#send = link.send;
    this.#closeRemote = link.close;
  }

  connect(): this {
    this.#open();
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#send(chunk);
    done();
  }

  override _writev(chunks: Array<{ chunk: Buffer }>, done: (error?: Error | null) => void): void {
    this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#closeRemote();
    done(error);
  }
}

/**
 * The database thread as seen from the event loop.
 *
 * States: starting → running → stopped, or lost: the thread died, every socket fails with `store_unavailable`, and so
 * does each new one.
 */
export type EmbeddedThread = {
  /** A new connection, for node-postgres' `stream` option. */
  createSocket(): Duplex;
  /** Resolves when the thread has died by itself; stays pending otherwise. */
  readonly lost: Promise<StewardError>;
  /** Closes the database in order and ends the thread; after `graceMs` without that. */
  stop(graceMs?: number): Promise<void>;
  /** Ends the thread at once, as a crash would. What was committed stays. */
  kill(): Promise<void>;
};

/** Starts the thread; resolves when the database is open, rejects with what kept it from opening. */
export async function startEmbeddedThread(options: ThreadOptions): Promise<EmbeddedThread> {
  const worker = new Worker(new URL('./embedded-thread.mjs', import.meta.url), { workerData: options, execArgv: [] });
  const thread = new ThreadLink(worker);
  await thread.ready;
  return thread;
}

class ThreadLink implements EmbeddedThread {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #sockets = new Map<number, ThreadSocket>();
  readonly lost: Promise<StewardError>;
  #reportLost: (error: StewardError) => void = () => {};
  #nextId = 1;
  #state: 'starting' | 'running' | 'stopping' | 'stopped' = 'starting';
  #lost: StewardError | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.lost = new Promise((resolve) => {
      this.#reportLost = resolve;
    });
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: FromThread) => {
        if (message.kind === 'ready') {
          this.#state = 'running';
          resolve();
        } else this.#receive(message);
      });
      worker.on('error', (error) => this.#fail(error, reject));
      worker.on('exit', (code) => this.#fail(new Error(`The thread exited with code ${code}`), reject));
    });
  }

  createSocket(): Duplex {
    const id = this.#nextId++;
    const socket = new ThreadSocket({
      open: () => {
        if (this.#lost) socket.destroy(this.#lost);
        else this.#post({ kind: 'open', id });
      },
      send: (bytes) => this.#post({ kind: 'data', id, bytes }),
      close: () => {
        if (this.#sockets.delete(id)) this.#post({ kind: 'close', id });
      },
    });
    this.#sockets.set(id, socket);
    return socket;
  }

  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    if (this.#state !== 'running' || this.#lost) return;
    this.#state = 'stopping';
    const exited = once(this.#worker, 'exit');
    this.#post({ kind: 'stop' });
    const timer = setTimeout(() => void this.kill(), graceMs);
    await exited;
    clearTimeout(timer);
    this.#state = 'stopped';
  }

  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(message: ToThread): void {
    if (!this.#lost) this.#worker.postMessage(message);
  }

  #receive(message: FromThread): void {
    if (message.kind === 'data') this.#sockets.get(message.id)?.push(message.bytes);
    else if (message.kind === 'closed') this.#sockets.get(message.id)?.push(null);
  }

  #fail(cause: Error, reject: (error: StewardError) => void): void {
    if (this.#lost || this.#state === 'stopping' || this.#state === 'stopped') return;
    const text = `The embedded database has stopped: ${cause.message}. Restart the process.`;
    this.#lost = new StewardError(text, { code: 'store_unavailable', retryable: false, cause });
    reject(this.#lost);
    for (const socket of this.#sockets.values()) socket.destroy(this.#lost);
    if (this.#state === 'running') this.#reportLost(this.#lost);
  }
}
