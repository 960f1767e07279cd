import type { Card } from '../../../domain/card.ts';
import type { PaymentTerms } from '../../../domain/payment.ts';
import { type CardReading, readCard } from '../card/card.ts';
import { PLANNER_LIMITS } from '../limits.ts';
import { type Party, readAgentParty } from '../payment/payee.ts';
import { readPayment } from '../payment/payment.ts';
import { entries } from '../values/entries.ts';
import { type JsonRecord, own } from '../values/json-record.ts';
import { createLatest } from './latest.ts';
import { createTaskMemory, type TaskMemory } from './task-memory.ts';

/** Cards that only inform, per leg: each becomes a message in the thread. */
const MAX_NOTICES = 10;

/**
 * Keeps the latest payment and card that a leg's stream showed. What stands beside the plan counts for more than what
 * the same event shows in a task, and an open task's for more than an ended one's, which may have been repeated from
 * before.
 */
export interface PauseDetails {
  /** Reads one event's `metadata`; gives the cards in it that only inform (`is_terminal`), each once per leg. */
  see(metadata: JsonRecord): Card[];
  /** Reads an object beside any plan, such as a delta; gives what `see` gives. */
  seeBeside(record: JsonRecord): Card[];
  /** The pause was taken back: what it was about is over. */
  forget(): void;
  payment(): PaymentTerms | null;
  /** The card that waits for an answer. */
  card(): Card | null;
  /** Whether there was a card that only informs. */
  hasInformed(): boolean;
}

export function createPauseDetails(): PauseDetails {
  const payment = createLatest<PaymentTerms>();
  const card = createLatest<Card>();
  const memory = createTaskMemory();
  const notices = new Set<string>();
  const keep = ({ holder, terms, reading }: Found): Card[] => {
    const { key, isOpen } = holder;
    if (terms !== null) payment.see(key, { value: terms, isOpen });
    if (reading !== null && !reading.isTerminal) card.see(key, { value: reading.card, isOpen });
    return reading?.isTerminal && isNew(notices, reading.card) ? [reading.card] : [];
  };
  return {
    see(metadata) {
      const holders = [...holdersOf(metadata, memory)];
      for (const { key, isOpen } of holders) {
        payment.setOpen(key, isOpen);
        card.setOpen(key, isOpen);
      }
      return [...findLast(holders), find(besidePlan(metadata))].flatMap(keep);
    },
    seeBeside: (record) => keep(find(besidePlan(record))),
    forget() {
      payment.forget();
      card.forget();
    },
    payment: payment.value,
    card: card.value,
    hasInformed: () => notices.size > 0,
  };
}

function isNew(seen: Set<string>, card: Card): boolean {
  const identity = JSON.stringify(card);
  if (seen.size === MAX_NOTICES || seen.has(identity)) return false;
  seen.add(identity);
  return true;
}

/** What may ask for something: a task, a phase, or what stands beside the plan. */
type Holder = { key: string; record: JsonRecord; isOpen: boolean; agent: Party };
type Found = { holder: Holder; terms: PaymentTerms | null; reading: CardReading | null };

function besidePlan(record: JsonRecord): Holder {
  return { key: '', record, isOpen: true, agent: readAgentParty(record) };
}

function find(holder: Holder): Found {
  return { holder, terms: readPayment(holder.record, holder.agent), reading: readCard(holder.record) };
}

/** What the last holders of an event show, in their order; one that shows nothing does not count. */
function findLast(holders: readonly Holder[]): Found[] {
  const found: Found[] = [];
  for (const holder of [...holders].reverse()) {
    if (found.length === PLANNER_LIMITS.detailsPerEvent) break;
    const shown = find(holder);
    if (shown.terms !== null || shown.reading !== null) found.push(shown);
  }
  return found.reverse();
}

function* holdersOf(metadata: JsonRecord, memory: TaskMemory): Generator<Holder> {
  let phasesLeft: number = PLANNER_LIMITS.phasesPerEvent;
  let tasksLeft: number = PLANNER_LIMITS.tasksPerEvent;
  for (const [phaseKey, phase] of entries(own(metadata, 'phases'))) {
    if (phasesLeft-- <= 0) return;
    yield holderOf(phaseKey, phase, memory);
    for (const [taskKey, task] of entries(own(phase, 'tasks'))) {
      if (tasksLeft-- <= 0) return;
      yield holderOf(`${phaseKey}/${taskKey}`, task, memory);
    }
  }
}

function holderOf(place: string, record: JsonRecord, memory: TaskMemory): Holder {
  const { key, hasEnded, agent } = memory.see(place, record);
  return { key, record, isOpen: !hasEnded, agent };
}
