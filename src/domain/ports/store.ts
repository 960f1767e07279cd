import type { AuditEntry } from '../audit.ts';
import type { NewOutboxMessage, OutboxMessage } from '../outbox.ts';
import type { Decision, Pause } from '../pause.ts';
import type { ApproversNeeded, LedgerEntry, SpendingScope, SpentToday } from '../payment.ts';
import type { Plan } from '../plan.ts';
import type { FailureCode, RequestFile, Run, RunChoice, RunSource, RunState } from '../run.ts';
import type { ThreadRef } from '../thread.ts';
import type { Turn } from '../turn.ts';
import type {
  ApprovalFacts,
  ApprovalJudgement,
  ApprovalObstacle,
  ApprovalRecheck,
  ApprovalWithheld,
  PeopleUnknown,
} from './approval-judge.ts';

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

/** A claimed leg with all it needs: the run and the thread's earlier requests and answers, oldest first. */
export type ClaimedLeg = { leg: Leg; run: Run; priorTurns: Turn[] };

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

/** A pause that a leg asks for. */
export type PausedLeg = {
  pause: NewPause;
  plan: Plan;
  /** The paused assistant turn. */
  turns: Turn[];
  /** For a payment: how many people it takes by the policy as it is now. */
  approversNeeded?: ApproversNeeded;
  /** The policy's refusal: the pause is decided as it opens, by nobody, and the run goes back to `queued`. */
  declined?: { decision: Decision; turn: Turn };
};

export type ApprovalVerdict =
  | PauseVerdict
  /** The judge said no; `reason` is its sentence for the person. */
  | { kind: 'refused'; reason: string }
  | { kind: 'not-approvable'; obstacle: ApprovalObstacle }
  /** The first of two approvals is recorded. */
  | { kind: 'one-more-needed'; pause: Pause };

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
 * admission, promotion, release, pause, decision, end, resume and choice all do; a claim and `saveProgress` do not.
 */
export interface RunStore {
  /** Stores a request as a queued run with its status message owed; idempotent by `requestKey`. */
  admit(request: NewRun): Promise<AdmittedRun>;
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

  /**
   * Starts the next leg of a queued current run: state `running`, epoch raised, owner and beat recorded. Null when the
   * run has moved on, is not its thread's current one, or is under way already.
   */
  claimLeg(runId: string, owner: string): Promise<ClaimedLeg | null>;
  /**
   * Records that the leg's request is about to leave, and with it an approved payment (`sent`). Must be durable before
   * it does. `isClaimed` is true for the first leg after a claim: its start is noted in the audit trail, and an approval
   * that the planner may not have heard leaves with it only if `judge` allows it now. `lost`: the leg may not be sent.
   */
  markSent(
    leg: Leg,
    sending: ApprovalRecheck & { isClaimed: boolean },
  ): Promise<{ kind: 'sent' } | { kind: 'lost' } | ApprovalWithheld | PeopleUnknown>;
  /**
   * Asks once more about the approval that the leg carries, before its request, which the planner did not take, goes out
   * again. Nothing else is written: the leg is sent already.
   */
  recheckSent(
    leg: Leg,
    recheck: ApprovalRecheck,
  ): Promise<{ kind: 'sent' } | { kind: 'lost' } | ApprovalWithheld | PeopleUnknown>;
  saveProgress(leg: Leg, progress: { plan: Plan; answer: string }): Promise<boolean>;
  /** Adds turns and starts the run's next leg in the same process (tool results). Null when the leg was lost. */
  continueLeg(leg: Leg, turns: Turn[]): Promise<Leg | null>;
  /** Puts an unsent leg back to `queued`: a stopping process returns what it has not begun. */
  releaseLeg(leg: Leg): Promise<boolean>;
  /** The plan has gone on past what was approved: payments told to the planner are `settled`. False when nothing was. */
  settle(leg: Leg): Promise<boolean>;
  /**
   * Ends the run, frees its thread and promotes the thread's next queued run. `activeMs` of the leg is added. A payment
   * under way is `settled` when the run is completed, and else `unknown`.
   */
  endLeg(leg: Leg, end: RunEnd): Promise<EndResult>;
  /**
   * Opens the pause with its card owed, adds the paused assistant turn; the run becomes `paused`. A payment is entered
   * in the ledger, an earlier one that the planner was told of is `settled`. False, with nothing changed, when the leg
   * was lost or a stop was asked for meanwhile.
   */
  pauseLeg(leg: Leg, paused: PausedLeg): Promise<boolean>;
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
   * Puts an ended run that is resumable back to `queued`. `over` when it is not, or when a choice was made already; may
   * be done again after another interruption. `retell` rewrites the run's last turn where that is an approval which the
   * planner was told of: it heard it, or may have, and would hear the same approval twice. A run with an approval that
   * the planner may not have heard is resumed only if `judge` allows that now, and else stays as it is.
   */
  resume(
    runId: string,
    resuming: ApprovalRecheck & { actorId: string; retell: (approval: Turn) => Turn },
  ): Promise<{ kind: 'resumed'; run: Run } | { kind: 'over' } | ApprovalWithheld | PeopleUnknown>;
  /**
   * Records what was chosen for an ended run; `start_over` admits `successor` in the same transaction. Null when a
   * choice was made already or the run has none to make.
   */
  choose(runId: string, choice: RunChoice, successor?: NewRun): Promise<{ run: Run; successor: Run | null } | null>;

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
  /**
   * What a message in a thread can be meant to answer: the newest pause of its writer's runs there, whatever became of
   * it, whose card stood in Slack before the message did.
   */
  askedBefore(message: { thread: ThreadRef; requesterId: string; ts: string }): Promise<Pause | null>;
  /** Whether a pause was decided by the message with this key. */
  wasDecidedBy(requestKey: string): Promise<boolean>;
  /** Open pauses of runs that a person asked for. */
  openFor(requesterId: string, limit: number): Promise<Array<{ pause: Pause; run: Run }>>;
  /** Open payments, whoever asked for them. */
  openPayments(limit: number): Promise<Array<{ pause: Pause; run: Run }>>;
  /**
   * Records a decision if the pause is open, before its deadline and on the terms given. The run goes back to
   * `queued` with the decision as its last user turn; card and status message are owed. All but approvals of payments.
   */
  decide(input: {
    pauseId: string;
    termsDigest: string | null;
    decision: Decision;
    turn: Turn;
    actorId: string;
    at: Date;
  }): Promise<PauseVerdict>;
  /**
   * Records a person's approval of a payment, under the same conditions and if `judge` allows it, which is asked under
   * the workspace's lock on spending. The last approval needed decides the pause; an earlier one only shows on its card.
   */
  approve(input: {
    pauseId: string;
    termsDigest: string;
    optionIndex: number;
    turn: Turn;
    actorId: string;
    at: Date;
    dayStart: Date;
    judge: (facts: ApprovalFacts) => ApprovalJudgement;
  }): Promise<ApprovalVerdict>;
  /** Expires one run's open pause whose deadline is at or before `now`: pause and run become `expired`. */
  expire(runId: string, now: Date): Promise<{ expired: boolean; promotedRunId: string | null }>;
  /** Runs that have an open pause past its deadline. */
  overdue(now: Date, limit: number): Promise<string[]>;
  /** Open pauses of which two thirds of the time are over and nobody was reminded, with their runs. */
  needingReminder(now: Date, limit: number): Promise<Array<{ pause: Pause; run: Run }>>;
}

/** Payments: what was asked, approved, told and settled. Moved only together with pauses, decisions and legs. */
export interface LedgerStore {
  /** The entry of a pause, or null when that pause asks for no payment. */
  get(pauseId: string): Promise<LedgerEntry | null>;
  /** A run's entries in the order in which they were asked for. */
  entriesOf(runId: string): Promise<LedgerEntry[]>;
  spentToday(scope: SpendingScope): Promise<SpentToday>;
}

/** Messages that Slack has to show. A claim is a short lease, so that two processes never send one row at once. */
export interface OutboxStore {
  /** Owes a message; one that is known stays as it is. */
  add(message: NewOutboxMessage): Promise<void>;
  get(operationId: string): Promise<OutboxMessage | null>;
  /** Owes messages anew: what they are drawn from has changed, and it is not in the store. */
  touch(operationIds: readonly string[]): Promise<void>;
  /** Takes a row that is owed and not leased, and counts the attempt. Null when there is nothing to do. */
  claim(operationId: string, leaseMs: number): Promise<OutboxMessage | null>;
  /** Prolongs the lease of a message that is still being sent. */
  renew(operationId: string, leaseMs: number): Promise<void>;
  /** Ends all leases: for a process that knows to be the only one, of those that were killed. */
  releaseAll(): Promise<void>;
  /** Records what Slack now shows and ends the lease. `said` goes into the audit trail: what a card said. */
  shown(operationId: string, shown: { ts: string; rev: number; said?: AuditEntry }): Promise<void>;
  /** Ends the lease after a failure: tried again after `retryAfterMs`, or given up for good when null. */
  failed(operationId: string, failure: { reason: string; retryAfterMs: number | null }): Promise<void>;
  /** Operation ids that are owed, due and not leased, oldest first; an answer's parts in their order. */
  due(limit: number): Promise<string[]>;
}

/** One stored Slack delivery. `body` is the payload as Slack sent it. */
export type InboxEntry = { key: string; kind: 'message' | 'deletion' | 'command'; body: unknown };

/** Deliveries stored before they are acknowledged, unique by key. */
export interface InboxStore {
  /** Stores a delivery; whether it was new. */
  put(entry: InboxEntry): Promise<boolean>;
  markProcessed(key: string): Promise<void>;
  /**
   * Entries left unprocessed for `olderThanMs`, tried fewer than `maxAttempts` times; counts the attempt. After each
   * attempt an entry rests twice as long, up to ten minutes.
   */
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
  ledger: LedgerStore;
  outbox: OutboxStore;
  inbox: InboxStore;
  audit: AuditStore;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
