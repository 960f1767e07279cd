import type { Selection } from '../card.ts';
import type { Pause, PauseKind, PauseOf } from '../pause.ts';
import type { RequestFile, Run, RunChoice } from '../run.ts';
import type { ThreadRef } from '../thread.ts';

/** A message or command addressed to Steward. `text` has the bot's own mention removed. */
export type IncomingRequest = {
  requestKey: string;
  thread: ThreadRef;
  /** `true` when the message stands in a thread that existed before it. */
  isReply: boolean;
  actorId: string;
  requestTs: string | null;
  source: 'mention' | 'direct_message' | 'reply' | 'command';
  text: string;
  files: RequestFile[];
};

/** Where a button was pressed, checked against what is stored (contract C36). */
export type ClickContext = { actorId: string; channelId: string; messageTs: string | null };

/** What a click or command came to; the presenter has one sentence for each. */
export type ActionResult =
  | { kind: 'accepted' }
  /** `approverIds`: of an approved payment, all who approved it; empty for all else. */
  | { kind: 'already-decided'; pause: Pause; approverIds: readonly string[] }
  | { kind: 'expired' }
  | { kind: 'not-allowed'; allowedId: string }
  /** The policy says no; `reason` is a sentence for the person, our own mrkdwn. */
  | { kind: 'refused'; reason: string }
  /** The first of two approvals of a payment. */
  | { kind: 'one-more-needed' }
  /** `pause` holds the terms as they are now. */
  | { kind: 'terms-changed'; pause: Pause }
  | { kind: 'already-over'; run: Run }
  | { kind: 'unknown' };

/** An open payment. `mustRetype`: an amount is above the threshold, so that what is approved has to be typed again. */
export type OpenPayment = {
  kind: 'open';
  pause: PauseOf<'payment'>;
  mustRetype: boolean;
  /** What has been approved today against the caps, in plain lines. */
  spentLines: string[];
};

/** What people can do with an open pause. Each is about the card that was clicked on. */
export interface PauseCommands {
  /**
   * The clarification or card behind a button, if the clicker may answer it: for opening its modal, and for reading what
   * a modal sent.
   */
  openPause(pauseId: string, click: ClickContext): Promise<{ kind: 'open'; pause: Pause } | ActionResult>;
  /** An option of a clarification. */
  chooseOption(pauseId: string, optionIndex: number, click: ClickContext): Promise<ActionResult>;
  /** Words, to a clarification or a card. `termsDigest` is what the modal showed. */
  answer(pauseId: string, answer: { text: string; termsDigest: string }, click: ClickContext): Promise<ActionResult>;
  /** A choice of a card that has nothing to fill in. */
  chooseOnCard(pauseId: string, choiceIndex: number, click: ClickContext): Promise<ActionResult>;
  /** What the card's modal sent: `selection` is the choice's merged with the fields' values. */
  submitCard(
    pauseId: string,
    submitted: { choiceIndex: number | null; selection: Selection; termsDigest: string },
    click: ClickContext,
  ): Promise<ActionResult>;
  cancelCard(pauseId: string, click: ClickContext): Promise<ActionResult>;
  /** The payment behind a button, if the clicker may do this with it now by the policy: for opening a modal. */
  openPayment(pauseId: string, intent: 'approve' | 'decline', click: ClickContext): Promise<OpenPayment | ActionResult>;
  /** The payment that a modal was about, for reading what it sent; the policy is asked by `approve` and `decline`. */
  viewPayment(pauseId: string, click: ClickContext): Promise<OpenPayment | ActionResult>;
  /** The only way to approve a payment. `termsDigest` is what the modal showed. */
  approve(
    pauseId: string,
    approval: { optionIndex: number; termsDigest: string },
    click: ClickContext,
  ): Promise<ActionResult>;
  decline(
    pauseId: string,
    refusal: { reason: string | null; termsDigest: string },
    click: ClickContext,
  ): Promise<ActionResult>;
}

/** What people can do to runs and their pauses. The only door from intake to the runner. */
export interface RunCommands extends PauseCommands {
  /**
   * Takes a message or command: starts or queues a run, answers the thread's open clarification, stops its run, or
   * posts a short help when there is no text. A `reply` (no mention, in a channel) counts only from a requester of the
   * thread's live runs or its newest; all else is left alone. Idempotent by `requestKey`.
   */
  receive(request: IncomingRequest): Promise<void>;
  /** Posts the message that a slash command's run lives under, then starts the run. */
  receiveCommand(command: {
    requestKey: string;
    teamId: string;
    channelId: string;
    actorId: string;
    text: string;
  }): Promise<void>;
  /** The message that asked was deleted. */
  requestDeleted(where: { channelId: string; requestTs: string }): Promise<void>;
  /** Stops the actor's live runs in a channel (`/steward stop`); how many. */
  stopAll(where: { actorId: string; channelId: string }): Promise<number>;
  stop(runId: string, click: ClickContext): Promise<ActionResult>;
  resume(runId: string, click: ClickContext): Promise<ActionResult>;
  choose(runId: string, action: RunChoice['action'], click: ClickContext): Promise<ActionResult>;
  /** The actor's live runs, and the pauses that wait for them. */
  statusFor(actorId: string): Promise<{
    runs: Run[];
    /** What the actor's own runs wait for, whoever may give it, by run id. */
    asked: ReadonlyMap<string, PauseKind>;
    waiting: Array<{ pause: Pause; run: Run }>;
  }>;
}
