import type { CreateId } from '../domain/ids.ts';
import type { Chat } from '../domain/ports/chat.ts';
import type { Logger } from '../domain/ports/logger.ts';
import type { People } from '../domain/ports/people.ts';
import type { Planner } from '../domain/ports/planner.ts';
import type { RunQueue } from '../domain/ports/queue.ts';
import type { Store } from '../domain/ports/store.ts';
import type { Telemetry } from '../domain/ports/telemetry.ts';
import type { Money } from '../policy/money.ts';
import type { Policy } from '../policy/policy.ts';
import type { Enqueuer } from './enqueuer.ts';
import type { LiveLegs } from './live-legs.ts';
import type { OutboxSender } from './outbox-sender.ts';

/** What the runner is made of: the ports it drives, and the settings it obeys. */
export type RunnerDeps = {
  store: Store;
  queue: RunQueue;
  planner: Planner;
  chat: Chat;
  people: People;
  /** The policy in force now. */
  policy: () => Policy;
  telemetry: Telemetry;
  logger: Logger;
  createId: CreateId;
  /** Waits until acknowledgements are not in a hurry; asked before work that can wait begins. */
  giveWay: () => Promise<void>;
  now: () => Date;
  settings: RunnerSettings;
};

/** What the runner's own modules share: the ports and settings, and what it makes of them. */
export type RunnerParts = RunnerDeps & { sender: OutboxSender; enqueuer: Enqueuer; liveLegs: LiveLegs };

export type RunnerSettings = {
  pauseTtlMs: number;
  runTimeoutMs: number;
  /** Above it an amount is typed again to approve it; null: never. */
  retypeAbove: Money | null;
  /** Names this process in leg rows. */
  owner: string;
};
