import type { Pause } from '../pause.ts';
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
  | { kind: 'already-decided'; pause: Pause }
  | { kind: 'expired' }
  | { kind: 'not-allowed'; allowedId: string }
  /** `pause` holds the terms as they are now. */
  | { kind: 'terms-changed'; pause: Pause }
  | { kind: 'already-over'; run: Run }
  | { kind: 'unknown' };

/** What people can do to runs. The only door from intake to the runner. */
export interface RunCommands {
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
  /** The pause behind a button, if the clicker may decide it: for opening its modal. */
  openPause(pauseId: string, click: ClickContext): Promise<{ kind: 'open'; pause: Pause } | ActionResult>;
  chooseOption(pauseId: string, optionIndex: number, click: ClickContext): Promise<ActionResult>;
  /** `termsDigest` is what the modal showed. */
  answer(pauseId: string, answer: { text: string; termsDigest: string }, click: ClickContext): Promise<ActionResult>;
  /** The actor's live runs, and the pauses that wait for them. */
  statusFor(actorId: string): Promise<{ runs: Run[]; waiting: Array<{ pause: Pause; run: Run }> }>;
}
