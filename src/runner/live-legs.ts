import type { Logger } from '../domain/ports/logger.ts';
import type { Leg, RunStore } from '../domain/ports/store.ts';

/** How often a process says that its legs are alive, and asks whether they shall stop: contract C32's 2 s, halved. */
const BEAT_INTERVAL_MS = 1000;

/** Why a leg under way is ended from outside. */
export type AbortReason = 'stop' | 'lost' | 'shutdown' | 'timeout';

/** A leg under way in this process. Aborting ends its planner request at once; the first reason counts. */
export type LiveLeg = {
  /** The leg of its run that is under way now. */
  readonly leg: Leg;
  readonly signal: AbortSignal;
  abort(reason: AbortReason): void;
  /** The run goes on with its next leg. */
  moveTo(leg: Leg): void;
  close(): void;
};

/**
 * The legs under way in this process.
 *
 * Owns one timer while there are any: each beat tells the database that they are alive and learns which of them were
 * taken over by another process (`lost`) or shall stop.
 */
export type LiveLegs = {
  open(leg: Leg): LiveLeg;
  /** Ends a run's leg if it is under way here; the beat does the same for other processes. */
  abortRun(runId: string, reason: AbortReason): void;
  abortAll(reason: AbortReason): void;
  /** From now on no leg shall begin: one that was claimed all the same is given back. */
  close(): void;
  readonly isClosed: boolean;
  has(runId: string): boolean;
  /** Resolves when no leg is under way. */
  whenIdle(): Promise<void>;
};

export function createLiveLegs(deps: { runs: Pick<RunStore, 'beat'>; logger: Logger }): LiveLegs {
  const live = new Map<string, { leg: Leg; abort: (reason: AbortReason) => void }>();
  const idleWaiters = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function beat(): Promise<void> {
    const result = await deps.runs.beat([...live.values()].map((entry) => entry.leg));
    for (const leg of result.lost) {
      // The answer may be about an epoch that this process has left since.
      if (live.get(leg.runId)?.leg.epoch === leg.epoch) abortRun(leg.runId, 'lost');
    }
    for (const leg of result.stopRequested) abortRun(leg.runId, 'stop');
  }

  function scheduleBeat(): void {
    timer = setTimeout(() => {
      beat()
        .catch((error: unknown) => deps.logger.warn({ err: error }, 'beat_failed'))
        .finally(() => {
          timer = undefined;
          if (live.size > 0) scheduleBeat();
        });
    }, BEAT_INTERVAL_MS);
  }

  function abortRun(runId: string, reason: AbortReason): void {
    live.get(runId)?.abort(reason);
  }

  function remove(runId: string): void {
    live.delete(runId);
    if (live.size > 0) return;
    for (const resolve of idleWaiters) resolve();
    idleWaiters.clear();
  }

  return {
    open(leg) {
      const controller = new AbortController();
      const entry = { leg, abort: (reason: AbortReason) => controller.abort(reason) };
      live.set(leg.runId, entry);
      if (!timer) scheduleBeat();
      return {
        signal: controller.signal,
        abort: entry.abort,
        get leg() {
          return entry.leg;
        },
        moveTo(next) {
          entry.leg = next;
        },
        close: () => remove(leg.runId),
      };
    },
    abortRun,
    abortAll(reason) {
      for (const { abort } of live.values()) abort(reason);
    },
    close() {
      isClosed = true;
    },
    has: (runId) => live.has(runId),
    get isClosed() {
      return isClosed;
    },
    whenIdle: () => (live.size === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.add(resolve))),
  };
}
