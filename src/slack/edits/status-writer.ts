import { type SetTimer, startTimer } from '../../async/timer.ts';
import type { MessageContent, StatusWriter } from '../../domain/ports/chat.ts';
import type { Logger } from '../../domain/ports/logger.ts';
import type { Telemetry } from '../../domain/ports/telemetry.ts';
import { SlackError } from '../../errors.ts';
import type { EditBudget, EditTicket } from './edit-budget.ts';
import type { EditPace } from './edit-pace.ts';

/**
 * Keeps one status message up to date. Owns a timer and a place in the budget's queue, never both.
 *
 * - `unposted`: the message has no ts yet. → `resting` when it has, → `dead` when it never will.
 * - `resting`: a timer waits for the next edit: at once for the first, `editIntervalMs` after the end of the last when
 *   something changed, `redrawMs` when only time moves. → `queued` when it is due.
 * - `queued`: waits for the workspace's budget. → `editing` when granted; → `resting` when there is nothing new.
 * - `editing`: one `chat.update` is under way. → `resting` when it ended, whatever came of it; → `dead` when Slack says
 *   that this message cannot be edited any more.
 * - `dead`: nothing more to do. → `closed`.
 * - `closed`: by the caller, from any state; no edit begins after it.
 */
type WriterState = 'unposted' | 'resting' | 'queued' | 'editing' | 'dead' | 'closed';

type StatusWriterOptions = {
  channelId: string;
  ts: Promise<string>;
  edit: (message: { channelId: string; ts: string }, content: MessageContent) => Promise<void>;
  budget: EditBudget;
  /** Edits of this message by others count for its interval too. */
  pace: EditPace;
  editIntervalMs: number;
  logger: Logger;
  telemetry: Pick<Telemetry, 'statusEdit'>;
  setTimer?: SetTimer;
};

/** How often a silent run's message is drawn again, unless the edit interval is longer. */
const REDRAW_MS = 5_000;
/** Pause of all edits after a 429 that did not say how long. */
const DEFAULT_RETRY_AFTER_MS = 30_000;

export function createStatusWriter(options: StatusWriterOptions): StatusWriter {
  return new PacedWriter(options);
}

class PacedWriter implements StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #setTimer: SetTimer;
  readonly #redrawMs: number;
  #state: WriterState = 'unposted';
  #ts = '';
  #draw: (() => MessageContent) | null = null;
  #changed = false;
  #lastShown: string | null = null;
  #cancelTimer: () => void = () => {};
  #ticket: EditTicket | null = null;
  #underWay: Promise<void> = Promise.resolve();

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#setTimer = options.setTimer ?? startTimer;
    this.#redrawMs = Math.max(REDRAW_MS, options.editIntervalMs);
    options.ts.then(
      (ts) => this.#posted(ts),
      // Whoever posts the message deals with the failure; without a message there is nothing to edit.
      () => this.#die(),
    );
  }

  show(draw: () => MessageContent): void {
    if (this.#state === 'closed' || this.#state === 'dead') return;
    this.#draw = draw;
    if (this.#changed) return;
    this.#changed = true;
    if (this.#state === 'resting') this.#rest();
    this.#ticket?.hurry();
  }

  async close(): Promise<void> {
    this.#leave('closed');
    await this.#underWay;
  }

  #posted(ts: string): void {
    if (this.#state !== 'unposted') return;
    this.#ts = ts;
    this.#options.pace.setLive(this.#message(), true);
    this.#rest();
  }

  #die(): void {
    if (this.#state !== 'closed') this.#leave('dead');
  }

  #message(): { channelId: string; ts: string } {
    return { channelId: this.#options.channelId, ts: this.#ts };
  }

  #leave(state: 'dead' | 'closed'): void {
    this.#state = state;
    this.#options.pace.setLive(this.#message(), false);
    this.#cancelTimer();
    this.#ticket?.cancel();
    this.#ticket = null;
    this.#draw = null;
  }

  #rest(): void {
    this.#state = 'resting';
    this.#cancelTimer();
    if (!this.#draw) return;
    const changeDueMs = this.#options.pace.waitMs(this.#message());
    this.#cancelTimer = this.#setTimer(() => this.#queue(), this.#changed ? changeDueMs : this.#redrawMs);
  }

  #queue(): void {
    this.#state = 'queued';
    this.#ticket = this.#options.budget.request({ urgent: this.#changed, grant: () => this.#begin() });
  }

  /** Starts the edit that was granted; false when there is nothing new to show. */
  #begin(): boolean {
    this.#ticket = null;
    // An edit by others may have ended since this one was timed.
    if (this.#options.pace.waitMs(this.#message()) > 0) {
      this.#rest();
      return false;
    }
    this.#changed = false;
    const content = this.#drawNow();
    const key = content && JSON.stringify([content.text, content.blocks]);
    if (!content || key === this.#lastShown) {
      this.#rest();
      return false;
    }
    this.#state = 'editing';
    this.#underWay = this.#edit(content, key);
    return true;
  }

  #drawNow(): MessageContent | null {
    try {
      return this.#draw?.() ?? null;
    } catch (error) {
      // A state that cannot be drawn must not end the process from a timer; the next one may be fine.
      this.#options.logger.error({ ts: this.#ts, err: error }, 'status_draw_failed');
      this.#options.telemetry.statusEdit('dropped');
      return null;
    }
  }

  async #edit(content: MessageContent, key: string | null): Promise<void> {
    this.#options.pace.note(this.#message());
    try {
      await this.#options.edit(this.#message(), content);
      this.#lastShown = key;
      this.#options.telemetry.statusEdit('sent');
    } catch (error) {
      this.#failed(error);
    }
    this.#options.pace.note(this.#message());
    if (this.#state === 'editing') this.#rest();
  }

  /** What Slack shows now is unknown; the newest state is due again unless Slack will never take it. */
  #failed(error: unknown): void {
    const { budget, logger, telemetry } = this.#options;
    this.#lastShown = null;
    const slackError = error instanceof SlackError ? error : null;
    const limited = slackError?.code === 'slack_rate_limited';
    telemetry.statusEdit(limited ? 'limited' : 'dropped');
    if (limited) budget.pause(slackError.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS);
    // That the token is refused is said once, by whoever calls Slack.
    const level = slackError?.code === 'slack_token_refused' ? 'debug' : 'warn';
    logger[level]({ ts: this.#ts, slackCode: slackError?.slackCode, err: error }, 'status_edit_failed');
    if (slackError?.retryable) this.#changed = true;
    else if (slackError && slackError.code !== 'slack_blocks_rejected') this.#die();
  }
}
