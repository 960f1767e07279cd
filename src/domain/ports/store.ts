import type { AuditEntry } from '../audit.ts';
import type { NewOutboxMessage, OutboxMessage } from '../outbox.ts';
import type { Decision, Pause } from '../pause.ts';
import type { Plan } from '../plan.ts';
import type { FailureCode, RequestFile, Run, RunSource, RunState, Settlement } from '../run.ts';
import type { ThreadRef } from '../thread.ts';
import type { Turn } from '../turn.ts';

/** A request that shall become a run. `id` and `sessionId` are fresh; they count only if the request is new. */
export type NewRun = {
  id: string;
  sessionId: string;
  requestKey: string;
  thread: ThreadRef;
  requesterId: string;
  requestTs: string | null;
  source: RunSource;
  text: string;
  files: RequestFile[];
};

/** `created` is false when the request was known; `ahead` counts the thread's unfinished runs before this one. */
export type AdmittedRun = { run: Run; created: boolean; ahead: number };

/** The right to write to a run: valid while the run still has this epoch. */
export type Leg = { runId: string; epoch: number };

export type LegKind = 'first' | 'resume';

/** A claimed leg with all it needs: the run and the thread's earlier requests and answers, oldest first. */
export type ClaimedLeg = { leg: Leg; run: Run; priorTurns: Turn[] };

/**
 * What a job finds when it wants to start a leg.
 *
 * - `claimed`: it may go.
 * - `lost`: the run is `running` on a leg whose process has gone silent; `sent` says whether its request had left.
 * - `not-due`: the run has moved on, is not its thread's current one, or is alive elsewhere.
 */
export type ClaimResult = { kind: 'claimed'; claimed: ClaimedLeg } | { kind: 'lost'; leg: Leg } | { kind: 'not-due' };

/** How a run ends. `plan` and `answer` replace what is stored when given. */
export type RunEnd = {
  state: Extract<RunState, 'completed' | 'failed' | 'stopped' | 'expired' | 'interrupted'>;
  failure?: FailureCode;
  plan?: Plan;
  answer?: string;
  /** Messages owed because of this end (the answer's parts), stored in the same transaction. */
  messages?: NewOutboxMessage[];
};

/** `ended` is false when the epoch was no longer valid; `promotedRunId` is the thread's next run, now its current. */
export type EndResult = { ended: boolean; promotedRunId: string | null };

/** What a beat learned of the legs it was sent for. */
export type BeatResult = { lost: Leg[]; stopRequested: Leg[] };

export type PauseVerdict =
  | { kind: 'decided'; pause: Pause; run: Run }
  /** Someone else was first, or the deadline has passed: `pause` as it stands. */
  | { kind: 'not-open'; pause: Pause }
  | { kind: 'terms-changed'; pause: Pause }
  | { kind: 'unknown' };

/**
 * Runs and their legs. Every method is one transaction. A write that carries a `Leg` is conditional on its epoch and
 * changes nothing (returns false or `ended: false`) when the run has moved on.
 *
 * A change of what people see raises `wantedRev` of the run's status message in the same transaction: a run's
 * admission, promotion, claim-independent state changes, pause, decision, end and settlement all do; `saveProgress`
 * does not.
 */
export interface RunStore {
  /** Stores requests as queued runs with their status message owed; idempotent by `requestKey`; answers in order. */
  admit(requests: readonly NewRun[]): Promise<AdmittedRun[]>;
  get(runId: string): Promise<Run | null>;
  /** Unfinished runs ahead of this one in its thread. */
  countAhead(runId: string): Promise<number>;
  /** The thread's runs that are not over, its current one first. */
  liveInThread(thread: ThreadRef): Promise<Run[]>;
  /** The thread's newest run, or null when the thread is not Steward's. */
  latestInThread(thread: ThreadRef): Promise<Run | null>;
  /** The run that a message asked for. */
  byRequest(where: { channelId: string; requestTs: string }): Promise<Run | null>;
  /** Runs of a person that are not over, newest first, at most `limit`. */
  liveOf(requesterId: string, limit: number): Promise<Run[]>;

  /** Starts the next leg of a queued current run: state `running`, epoch raised, owner and beat recorded. */
  claimLeg(runId: string, owner: string, staleAfterMs: number): Promise<ClaimResult>;
  /** Records that the leg's request is about to leave. Must be durable before it does. */
  markSent(leg: Leg): Promise<boolean>;
  saveProgress(leg: Leg, progress: { plan: Plan; answer: string }): Promise<boolean>;
  /** Adds turns and starts the run's next leg in the same process (tool results). Null when the leg was lost. */
  continueLeg(leg: Leg, turns: Turn[]): Promise<Leg | null>;
  /** Puts an unsent leg back to `queued`: a stopping process returns what it has not begun. */
  releaseLeg(leg: Leg): Promise<boolean>;
  /** Ends the run, frees its thread and promotes the thread's next queued run. `activeMs` of the leg is added. */
  endLeg(leg: Leg, end: RunEnd): Promise<EndResult>;
  /**
   * Opens the pause with its card owed, adds the paused assistant turn; the run becomes `paused`. False, with nothing
   * changed, when the leg was lost or a stop was asked for meanwhile.
   */
  pauseLeg(leg: Leg, paused: { pause: NewPause; plan: Plan; turns: Turn[] }): Promise<boolean>;
  /** Keeps legs alive, and tells which were lost to another process and which shall stop. One statement. */
  beat(legs: readonly Leg[]): Promise<BeatResult>;

  /**
   * Asks a live run to stop. A queued or paused run ends at once (`ended` true, its open pause cancelled); a running
   * one is told by its next beat. Null when the run is not live.
   */
  requestStop(
    runId: string,
    actorId: string,
  ): Promise<{ run: Run; ended: boolean; promotedRunId: string | null } | null>;
  /**
   * Takes an ended run's buttons once. `resume` also puts the run back to `queued`; `start_over` admits `successor` in
   * the same transaction. Null when the buttons were taken already or the run has none.
   */
  settle(
    runId: string,
    settlement: Settlement,
    successor?: NewRun,
  ): Promise<{ run: Run; successor: Run | null } | null>;

  /** Queued current runs whose job may be missing: never enqueued, or enqueued longer than `olderThanMs` ago. */
  needingJob(olderThanMs: number, limit: number): Promise<string[]>;
  markEnqueued(runIds: readonly string[]): Promise<void>;
  /** Running legs without a beat for `olderThanMs`. */
  lostLegs(olderThanMs: number, limit: number): Promise<Leg[]>;
  /** Makes the first queued run current in threads that have queued runs and no current one. Their ids. */
  promoteStranded(limit: number): Promise<string[]>;
  countByState(): Promise<Partial<Record<RunState, number>>>;
  /** Age in ms of the oldest queued run that could run, or null. */
  oldestWaitingMs(): Promise<number | null>;
}

export type NewPause = Pick<Pause, 'id' | 'request' | 'termsDigest' | 'openedAt' | 'deadlineAt'>;

/** Pauses and their decisions. One winner, in the database. */
export interface PauseStore {
  get(pauseId: string): Promise<Pause | null>;
  /** The run's newest pause, or null. */
  latestOf(runId: string): Promise<Pause | null>;
  openInThread(thread: ThreadRef): Promise<{ pause: Pause; run: Run } | null>;
  /** Whether a pause was decided by the message with this key. */
  wasDecidedBy(requestKey: string): Promise<boolean>;
  /** Open pauses of runs that a person asked for. */
  openFor(requesterId: string, limit: number): Promise<Array<{ pause: Pause; run: Run }>>;
  /**
   * Records a decision if the pause is open, before its deadline and on the terms given. The run goes back to
   * `queued` with the decision as its last user turn; card and status message are owed.
   */
  decide(input: {
    pauseId: string;
    termsDigest: string | null;
    decision: Decision;
    turn: Turn;
    actorId: string;
    at: Date;
  }): Promise<PauseVerdict>;
  /** Expires one run's open pause whose deadline is at or before `now`: pause and run become `expired`. */
  expire(runId: string, now: Date): Promise<{ expired: boolean; promotedRunId: string | null }>;
  /** Runs that have an open pause past its deadline. */
  overdue(now: Date, limit: number): Promise<string[]>;
}

/** Messages that Slack has to show. A claim is a short lease, so that two processes never deliver one row at once. */
export interface OutboxStore {
  add(messages: readonly NewOutboxMessage[]): Promise<void>;
  get(operationId: string): Promise<OutboxMessage | null>;
  /** Takes a row that is owed and not leased, and counts the attempt. Null when there is nothing to do. */
  claim(operationId: string, leaseMs: number): Promise<OutboxMessage | null>;
  /** Records what Slack now shows and ends the lease. */
  shown(operationId: string, shown: { ts: string; rev: number }): Promise<void>;
  /** Ends the lease after a failure: tried again after `retryAfterMs`, or given up for good when null. */
  failed(operationId: string, failure: { reason: string; retryAfterMs: number | null }): Promise<void>;
  /** Operation ids that are owed, due and not leased, oldest first; an answer's parts in their order. */
  due(limit: number): Promise<string[]>;
}

/** One stored Slack delivery. `body` is the payload as Slack sent it. */
export type InboxEntry = { key: string; kind: 'message' | 'deletion' | 'command'; body: unknown };

/** Deliveries stored before they are acknowledged, unique by key. */
export interface InboxStore {
  /** Stores what is new with one statement; the keys that were. */
  put(entries: readonly InboxEntry[]): Promise<Set<string>>;
  markProcessed(keys: readonly string[]): Promise<void>;
  /** Entries left unprocessed for `olderThanMs`, tried fewer than `maxAttempts` times; counts the attempt. */
  takeUnprocessed(where: { olderThanMs: number; maxAttempts: number; limit: number }): Promise<InboxEntry[]>;
  /** Drops processed entries received before `before`; how many. */
  prune(before: Date): Promise<number>;
}

/** Who tried what. Append only. */
export interface AuditStore {
  append(entry: AuditEntry): Promise<void>;
  list(runId: string): Promise<Array<AuditEntry & { at: Date }>>;
}

/** Everything the product keeps. */
export interface Store {
  runs: RunStore;
  pauses: PauseStore;
  outbox: OutboxStore;
  inbox: InboxStore;
  audit: AuditStore;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
