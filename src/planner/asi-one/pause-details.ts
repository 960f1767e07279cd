import type { Card } from '../../domain/card.ts';
import type { PauseKind } from '../../domain/pause.ts';
import type { PaymentTerms } from '../../domain/payment.ts';
import { type CardReading, readCard } from './card/card.ts';
import type { Clarification } from './stream/clarification.ts';
import { isRecord, type JsonRecord, own } from './json-record.ts';
import { PLANNER_LIMITS } from './limits.ts';
import { readPayment } from './payment/payment.ts';
import { isSafeKey } from './received-text.ts';

/** What a person is asked, with all that is needed to show it. */
export type DetailedRequest =
  | ({ kind: 'clarification' } & Clarification)
  | { kind: 'payment'; terms: PaymentTerms }
  | { kind: 'card'; card: Card };

const MAX_NOTICES = 10;
/** Only the latest count, and reading a hostile plan full of large cards would hold up other runs. */
const MAX_FOUND_PER_EVENT = 20;
/** The documented statuses of a task that has ended. */
const ENDED = new Set(['completed', 'failed', 'error', 'timeout', 'skipped']);

/**
 * Keeps the latest payment and card that a leg's plan showed. What stands beside the plan counts for more than what
 * stands in a task, and an open task's for more than an ended one's, which may have been repeated from before.
 */
export interface PauseDetails {
  /** Reads one event's `metadata`. A `plan_status` in it is to be told first (`forget`). */
  see(metadata: JsonRecord): void;
  /** The pause was taken back: what it was about is over. */
  forget(): void;
  /** Cards that only inform (`is_terminal`), each once, in the order seen: to be shown, never waited for. */
  notices(): Card[];
  /** The request of a pause of this kind; `asked` is what is asked when no payment or card could be read. */
  request(kind: PauseKind, asked: Clarification): DetailedRequest;
}

export function createPauseDetails(): PauseDetails {
  const payment = createLatest<PaymentTerms>();
  const card = createLatest<Card>();
  const notices = new Map<string, Card>();
  const keep = ({ terms, reading, isOpen }: Found): void => {
    if (terms !== null) payment.see(terms, isOpen);
    if (reading === null) return;
    if (!reading.isTerminal) card.see(reading.card, isOpen);
    else if (notices.size < MAX_NOTICES) notices.set(JSON.stringify(reading.card), reading.card);
  };
  return {
    see(metadata) {
      findInTasks(metadata).forEach(keep);
      keep(find(metadata, true));
    },
    forget() {
      payment.forget();
      card.forget();
    },
    notices: () => [...notices.values()],
    request(kind, asked) {
      const terms = kind === 'payment' ? payment.value() : null;
      if (terms !== null) return { kind: 'payment', terms };
      const shown = kind === 'card' ? card.value() : null;
      return shown === null ? { kind: 'clarification', ...asked } : { kind: 'card', card: shown };
    },
  };
}

/** What one task, or the plan itself, shows. */
type Found = { terms: PaymentTerms | null; reading: CardReading | null; isOpen: boolean };

function find(record: JsonRecord, isOpen: boolean): Found {
  return { terms: readPayment(record), reading: readCard(record), isOpen };
}

/** What the last tasks of an event show, in their order; one that shows nothing does not count. */
function findInTasks(metadata: JsonRecord): Found[] {
  const found: Found[] = [];
  for (const task of [...tasksOf(metadata)].reverse()) {
    if (found.length === MAX_FOUND_PER_EVENT) break;
    const shown = find(task, !hasEnded(task));
    if (shown.terms !== null || shown.reading !== null) found.push(shown);
  }
  return found.reverse();
}

/** The latest value of an open task, or else of an ended one. */
function createLatest<T>() {
  let open: T | null = null;
  let ended: T | null = null;
  return {
    see(value: T, isOpen: boolean): void {
      if (isOpen) open = value;
      else ended = value;
    },
    forget(): void {
      open = null;
      ended = null;
    },
    value: (): T | null => open ?? ended,
  };
}

function hasEnded(task: JsonRecord): boolean {
  const status = own(task, 'status');
  return typeof status === 'string' && ENDED.has(status.trim().toLowerCase());
}

function* tasksOf(metadata: JsonRecord): Generator<JsonRecord> {
  let left: number = PLANNER_LIMITS.tasksPerEvent;
  for (const phase of recordsOf(own(metadata, 'phases'))) {
    for (const task of recordsOf(own(phase, 'tasks'))) {
      if (left-- <= 0) return;
      yield task;
    }
  }
}

/** The objects of a map or list. */
function* recordsOf(value: unknown): Generator<JsonRecord> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value).filter(isSafeKey)) {
    const entry: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    if (isRecord(entry)) yield entry;
  }
}
