import type { SocketModeClient } from '@slack/socket-mode';
import { sleep } from '../../async/sleep.ts';
import { within } from '../../async/within.ts';
import type { SocketReport } from './socket-report.ts';
import type { CreateSocketClient } from './steady-socket-client.ts';

interface SocketConnection {
  /** Starts keeping a socket open; resolves when the first is, rejects when the first attempt failed. Goes on either way. */
  start(): Promise<void>;
  isUp(): boolean;
  /** Closes the socket and opens no other; resolves when it is closed. */
  stop(): Promise<void>;
}

type SocketConnectionOptions = {
  createClient: CreateSocketClient;
  /** Called with each new client before it connects. */
  listen: (client: SocketModeClient) => void;
  report: SocketReport;
  /** From 0 up to 1. Spreads the reconnects of several connections. */
  random?: () => number;
};

/** A socket that is up but silent about it is given up. */
const HELLO_WITHIN_MS = 15_000;
const CLOSE_WITHIN_MS = 2_000;
/** A socket that lived this long was a good one; the next may follow at once. */
const GOOD_LIFE_MS = 10_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/** Exponential, between half and all of it at random. */
export function reconnectWaitMs(failures: number, random: () => number): number {
  if (failures === 0) return 0;
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
  return full * (0.5 + random() / 2);
}

/**
 * Keeps one Socket Mode connection open. Owns a client at a time and the loop that replaces it.
 *
 * States: idle → connecting ⇄ up; any → stopped. Slack replaces sockets hourly and whenever it likes: that is no
 * failure, and the next one follows at once.
 */
export function createSocketConnection(options: SocketConnectionOptions): SocketConnection {
  const { createClient, listen, report, random = Math.random } = options;
  const stopping = new AbortController();
  let up = false;
  let current: SocketModeClient | null = null;
  let running: Promise<void> = Promise.resolve();

  /** One socket from its opening to its end. Rejects when it never came up. */
  async function live(onUp: () => void): Promise<void> {
    const client = createClient();
    current = client;
    listen(client);
    let broken: unknown;
    client.on('error', (error: unknown) => {
      broken = error;
      if (up) report.broke(error);
    });
    const closed = new Promise<void>((resolve) => {
      client.once('disconnected', () => resolve());
    });
    try {
      // The client rejects with nothing when its socket closes before the hello.
      await connect(client, stopping.signal).catch((error: unknown) => {
        throw error ?? broken ?? new Error('The socket was closed before Slack said hello.');
      });
      up = true;
      report.opened();
      onUp();
      await closed;
    } finally {
      up = false;
      await disconnect(client);
    }
  }

  async function keepOpen(first: { resolve: () => void; reject: (error: unknown) => void }): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const startedAtMs = performance.now();
      try {
        await live(first.resolve);
        failures = performance.now() - startedAtMs > GOOD_LIFE_MS ? 0 : failures + 1;
      } catch (error) {
        first.reject(error);
        failures += 1;
        if (!stopping.signal.aborted) report.connectFailed(error, failures);
      }
      await sleep(reconnectWaitMs(failures, random), { signal: stopping.signal });
    }
  }

  return {
    start() {
      const { promise, resolve, reject } = withResolvers();
      running = keepOpen({ resolve, reject });
      return promise;
    },
    isUp: () => up,
    async stop() {
      stopping.abort();
      if (current !== null) await disconnect(current);
      await running;
    },
  };
}

function withResolvers(): { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } {
  let resolve: () => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

async function connect(client: SocketModeClient, stopping: AbortSignal): Promise<void> {
  const started = client.start();
  const late = (): never => {
    throw new Error(`Slack said no hello within ${HELLO_WITHIN_MS} ms.`);
  };
  try {
    await within(started, { ms: HELLO_WITHIN_MS, late, signal: stopping });
  } finally {
    // A socket that comes up after the stop has nobody else to close it.
    started.then(() => (stopping.aborted ? client.disconnect() : undefined)).catch(() => undefined);
  }
}

async function disconnect(client: SocketModeClient): Promise<void> {
  await within(client.disconnect(), { ms: CLOSE_WITHIN_MS, late: () => undefined });
}
