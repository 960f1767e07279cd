import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Logger } from '../../domain/ports/logger.ts';
import { type DataDirLock, lockDataDir } from './data-dir-lock.ts';
import { ensureDatabase } from './embedded-database.ts';
import { type MaintenanceIntervals, startMaintenance } from './embedded-maintenance.ts';
import { type EmbeddedThread, startEmbeddedThread } from './embedded-socket.ts';
import { SEARCH_PATH, watchConnections } from './sql-pool.ts';

/** Virtual connections: they cost a socket object each, and take turns on the one session. */
const MAX_CONNECTIONS = 20;
/** How long `end()` waits for connections that are still checked out. */
const END_GRACE_MS = 5_000;

type EmbeddedOptions = {
  /** DATA_DIR: holds the database, its lock, and nothing else. Created if need be. */
  dataDir: string;
  logger: Logger;
  /** How long a transaction may wait for its next statement before it is rolled back. Default one minute. */
  idleInTransactionMs?: number;
  /** How often the database is tended. Default: checkpoint each minute, vacuum each five. */
  maintenance?: MaintenanceIntervals;
};

/**
 * The embedded database: PostgreSQL inside this process (PGlite), in a thread of its own, files under DATA_DIR.
 *
 * It is a node-postgres pool whose sockets lead to the thread instead of a server. All its connections share one
 * session: a transaction has it to itself until it ends, other statements wait; settings made with `SET` are everyone's.
 *
 * It owns the lock, the thread and the connections. States: open → ended, or lost when the thread dies: then everything
 * rejects with `store_unavailable`, 'error' is emitted, and only a new process helps.
 */
export class EmbeddedPool extends Pool {
  readonly #thread: EmbeddedThread;
  readonly #lock: DataDirLock;
  readonly #stopMaintenance: () => void;
  #ending: Promise<void> | null = null;

  constructor(parts: {
    thread: EmbeddedThread;
    lock: DataDirLock;
    logger: Logger;
    maintenance?: MaintenanceIntervals | undefined;
  }) {
    super({
      host: 'embedded',
      user: 'postgres',
      database: 'postgres',
      password: '',
      ssl: false,
      max: MAX_CONNECTIONS,
      idleTimeoutMillis: 0,
      // Nothing to keep alive; it tells BullMQ that a lost connection is noticed, so that it need not poll.
      keepAlive: true,
      stream: () => parts.thread.createSocket(),
    });
    this.#thread = parts.thread;
    this.#lock = parts.lock;
    watchConnections(this, parts.logger);
    void parts.thread.lost.then((error) => this.emit('error', error));
    this.#stopMaintenance = startMaintenance(this, parts.logger, parts.maintenance);
  }

  /** Closes connections, database and lock. Repeated calls share the first one's outcome. */
  override end(callback?: () => void): Promise<void> {
    this.#ending ??= this.#endAll();
    if (callback) this.#ending.then(callback, callback);
    return this.#ending;
  }

  async #endAll(): Promise<void> {
    this.#stopMaintenance();
    // A connection that is never released would keep the pool from ending; the thread closes it.
    await Promise.race([super.end(), wait(END_GRACE_MS, undefined, { ref: false })]);
    await this.#thread.stop();
    await this.#lock.release();
  }
}

/**
 * Opens the embedded database, creating it on first use in a child process (about 4 to 7 s; later opens well under 1 s).
 *
 * @throws StewardError `data_dir_locked` when another process has the directory, `store_unavailable` when the database
 *   cannot be created or opened
 */
export async function openEmbeddedPool(options: EmbeddedOptions): Promise<EmbeddedPool> {
  const lock = await lockDataDir(options.dataDir);
  try {
    const directory = await ensureDatabase(options.dataDir, options.logger);
    const { idleInTransactionMs = 60_000 } = options;
    const thread = await startEmbeddedThread({ directory, searchPath: SEARCH_PATH, idleInTransactionMs });
    return new EmbeddedPool({ thread, lock, logger: options.logger, maintenance: options.maintenance });
  } catch (error) {
    await lock.release();
    throw error;
  }
}
