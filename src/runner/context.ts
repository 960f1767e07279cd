import type { CreateId } from '../domain/ids.ts';
import type { Chat } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { Planner } from '../domain/ports/planner.ts';
import type { RunQueue } from '../domain/ports/queue.ts';
import type { Store } from '../domain/ports/store.ts';
import type { Telemetry } from '../domain/ports/telemetry.ts';

/** What the runner is made of: the ports it drives, and the settings it obeys. */
export type RunnerDeps = {
  store: Store;
  queue: RunQueue;
  planner: Planner;
  chat: Chat;
  telemetry: Telemetry;
  logger: Logger;
  createId: CreateId;
  /** Waits until acknowledgements are not in a hurry; asked before work that can wait begins. */
  giveWay: () => Promise<void>;
  now: () => Date;
  settings: RunnerSettings;
};

export type RunnerSettings = {
  pauseTtlMs: number;
  runTimeoutMs: number;
  /** Names this process in leg rows. */
  owner: string;
};

/** How often a process says that its legs are alive, and asks whether they shall stop: contract C32's 2 s, halved. */
export const BEAT_INTERVAL_MS = 1000;

/**
 * Silence after which a leg's process counts as gone. Longer than any stall of a busy process, short enough that an
 * orphaned status message is put right within a minute of a restart (contract C33).
 */
export const LEG_STALE_MS = 20_000;

/** How often what a leg has so far is stored, so that a crash shows it as partial. */
export const PROGRESS_INTERVAL_MS = 5000;
