import type { RequestFile } from '../run.ts';

/**
 * A message as Slack shows it. `blocks` is Block Kit JSON, opaque here. `fallbackBlocks` draws the same content with
 * blocks that every workspace knows; the chat adapter uses it where the first are rejected.
 */
export type MessageContent = { text: string; blocks: readonly object[]; fallbackBlocks?: readonly object[] };

/** A text file with the words that stand beside it; `comment` is our own mrkdwn. */
export type TextFile = { name: string; content: string; comment: string };

export type PostTarget = { channelId: string; threadTs: string | null; operationId: string };

/** A downloaded image, ready for the planner; or the reason, as a sentence for the thread, why there is none. */
export type ImageResult = { file: RequestFile } & ({ dataUrl: string } | { problem: string });

/** Slack's side of what the bot shows. Errors are `SlackError`s (see errors.ts) whose `retryable` can be trusted. */
export interface Chat {
  /** Posts once; the caller sees to it that it is called once. The message's ts. */
  post(target: PostTarget, content: MessageContent): Promise<string>;
  update(message: { channelId: string; ts: string }, content: MessageContent): Promise<void>;
  /** Uploads a text file into a thread, with a comment. The ts of its message, or the file's id if there is none. */
  uploadText(target: PostTarget, file: TextFile): Promise<string>;
  /** The ts of a message that was posted for this operation, or null: for posts whose outcome is unknown. */
  findPosted(target: PostTarget): Promise<string | null>;
  /** Tells one person something that nobody else sees. Lost when they are not looking: never the only record. */
  whisper(to: { channelId: string; threadTs: string | null; userId: string; text: string }): Promise<void>;
  downloadImage(file: RequestFile): Promise<ImageResult>;
  /**
   * What an edit of a status message that is owed has to reckon with: `waitMs` until its edit interval has passed (0
   * if it has), `limitedMs` until Slack takes edits again after a 429, and whether a writer keeps it up to date now.
   */
  statusPace(message: { channelId: string; ts: string }): { waitMs: number; limitedMs: number; isLive: boolean };
  /** A paced writer for one run's status message (contract C11, C13). */
  openStatus(message: { channelId: string; ts: Promise<string> }): StatusWriter;
}

/**
 * Edits one message, no oftener than allowed, newest state first. It owns a timer until closed.
 *
 * States: open → closed. While open it draws again by itself, so that elapsed time moves in silence.
 */
export interface StatusWriter {
  /** Replaces what the next edit shows. `draw` is called when that edit is due, so it costs nothing per delta. */
  show(draw: () => MessageContent): void;
  /** Stops editing; resolves when no edit is under way any more. The final state is the outbox's to deliver. */
  close(): Promise<void>;
}
