import { type SetTimer, startTimer } from '../../async/timer.ts';

/**
 * How often status messages of the workspace may be edited, all together (contract C10, C13).
 *
 * A token bucket that its writers queue for. Whoever has waited longest goes first, and each writer waits at most once,
 * so runs take turns. Urgent wishes (something happened) pass patient ones (only the time moved on), but every fourth
 * edit is a patient one's if any waits: a silent run among busy ones must not look dead.
 *
 * It owns one timer. States: open ⇄ paused (a 429 on an edit) → closed.
 */
export interface EditBudget {
  /**
   * Queues for one edit. `grant` is called later, never at once, when it may be made; it answers whether it was, so
   * that an edit with nothing to say costs nothing.
   */
  request(wish: { urgent: boolean; grant: () => boolean }): EditTicket;
  /** Counts an edit that was owed and did not wait. Slack counts it too. */
  spend(): void;
  /** No edits for `durationMs`: Slack said so. */
  pause(durationMs: number): void;
  /** How much longer no edits may be made, in milliseconds; 0 when they may. */
  pausedForMs(): number;
  close(): void;
}

export type EditTicket = {
  /** Makes a patient wish urgent. */
  hurry(): void;
  cancel(): void;
};

type Waiter = { grant: () => boolean };

const MINUTE_MS = 60_000;
const URGENT_IN_A_ROW = 3;
/** Share of a minute's edits that may be made at once. */
const BURST_SHARE = 1 / 9;
/** Tokens are fractions; without this a bucket that is full but for a rounding error would wait again. */
const ROUNDING = 1e-6;

export function createEditBudget(options: {
  editsPerMinute: number;
  now?: () => number;
  setTimer?: SetTimer;
}): EditBudget {
  return new TokenBucket(options);
}

class TokenBucket implements EditBudget {
  readonly #now: () => number;
  readonly #setTimer: SetTimer;
  readonly #burst: number;
  readonly #tokensPerMs: number;
  readonly #urgent = new Set<Waiter>();
  readonly #patient = new Set<Waiter>();
  #tokens: number;
  #refilledAt: number;
  #pausedUntil = 0;
  #urgentInARow = 0;
  #timer: { at: number; cancel: () => void } | null = null;
  #closed = false;

  constructor({ editsPerMinute, now = Date.now, setTimer = startTimer }: Parameters<typeof createEditBudget>[0]) {
    this.#now = now;
    this.#setTimer = setTimer;
    this.#burst = Math.max(1, Math.floor(editsPerMinute * BURST_SHARE));
    // Burst and refill together stay within `editsPerMinute` in any minute, the busiest one included.
    this.#tokensPerMs = (editsPerMinute - this.#burst + 1) / MINUTE_MS;
    this.#tokens = this.#burst;
    this.#refilledAt = now();
  }

  request({ urgent, grant }: { urgent: boolean; grant: () => boolean }): EditTicket {
    const waiter: Waiter = { grant };
    if (!this.#closed) (urgent ? this.#urgent : this.#patient).add(waiter);
    this.#wake();
    return {
      hurry: () => {
        if (this.#patient.delete(waiter)) this.#urgent.add(waiter);
      },
      cancel: () => {
        this.#urgent.delete(waiter);
        this.#patient.delete(waiter);
      },
    };
  }

  spend(): void {
    this.#refill();
    this.#tokens = Math.max(this.#tokens - 1, -this.#burst);
  }

  pause(durationMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + durationMs);
  }

  pausedForMs(): number {
    return Math.max(0, this.#pausedUntil - this.#now());
  }

  close(): void {
    this.#closed = true;
    this.#urgent.clear();
    this.#patient.clear();
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Arms the timer for the moment at which the next waiter can be served. */
  #wake(): void {
    if (this.#urgent.size + this.#patient.size === 0) return;
    this.#refill();
    const now = this.#now();
    const tokenAt = now + Math.max(0, Math.ceil((1 - this.#tokens - ROUNDING) / this.#tokensPerMs));
    const at = Math.max(tokenAt, this.#pausedUntil);
    if (this.#timer && this.#timer.at <= at) return;
    this.#timer?.cancel();
    this.#timer = { at, cancel: this.#setTimer(() => this.#serve(), at - now) };
  }

  #serve(): void {
    this.#timer = null;
    this.#refill();
    while (this.#tokens >= 1 - ROUNDING && this.#now() >= this.#pausedUntil) {
      const waiter = this.#takeNext();
      if (!waiter) return;
      if (waiter.grant()) this.#tokens -= 1;
    }
    this.#wake();
  }

  #takeNext(): Waiter | undefined {
    const patientTurn = this.#urgent.size === 0 || (this.#urgentInARow >= URGENT_IN_A_ROW && this.#patient.size > 0);
    const line = patientTurn ? this.#patient : this.#urgent;
    const [first] = line;
    if (!first) return undefined;
    line.delete(first);
    this.#urgentInARow = patientTurn ? 0 : this.#urgentInARow + 1;
    return first;
  }

  #refill(): void {
    const now = this.#now();
    const gained = Math.max(0, now - this.#refilledAt) * this.#tokensPerMs;
    this.#tokens = Math.min(this.#burst, this.#tokens + gained);
    this.#refilledAt = now;
  }
}
