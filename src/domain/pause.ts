import type { Card, Selection } from './card.ts';
import type { PaymentTerms } from './payment.ts';

/** Why a run waits for a person. */
export type PauseKind = 'clarification' | 'payment' | 'card';

export const PAUSE_STATES = ['open', 'decided', 'expired', 'cancelled'] as const;
export type PauseState = (typeof PAUSE_STATES)[number];

/**
 * A question in words. `question` is the planner's text in full, or null when it paused without any. `unread` names what
 * was really asked for when the planner asked for a payment or a card and none could be read: no words can approve it.
 */
export type Clarification = {
  kind: 'clarification';
  question: string | null;
  options: string[];
  unread: 'payment' | 'card' | null;
};

/** What the planner asks a person, as read from its stream. `said` is what it said beside a payment, in its own words. */
export type PauseRequest =
  | Clarification
  | { kind: 'payment'; terms: PaymentTerms; said: string | null }
  | { kind: 'card'; card: Card };

/** How an answer was given: a button (`option`), a modal, or a reply in the thread. */
export const DECISION_SOURCES = ['option', 'modal', 'reply'] as const;
export type DecisionSource = (typeof DECISION_SOURCES)[number];

/**
 * An answer's way in. `requestKey` is a reply's, so that the same message delivered again is known to be the answer and
 * not a new request; null for clicks.
 */
type Given = { source: DecisionSource; requestKey: string | null };

/** An answer in words, for the planner and for the card. */
export type ClarificationDecision = Given & { kind: 'clarification'; answer: string };

/** `optionIndex` is what was approved of the terms' options, null for a refusal; `reason` is a refusal's. */
export type PaymentDecision = {
  kind: 'payment';
  verdict: 'approve' | 'decline';
  optionIndex: number | null;
  reason: string | null;
};

/**
 * An answer to a card: a choice by its `label`, filled-in values in `selection`, or words of one's own in `text`; none of
 * them when `isCancelled`.
 */
export type CardDecision = Given & {
  kind: 'card';
  label: string | null;
  selection: Selection;
  text: string | null;
  isCancelled: boolean;
};

/** A pause's recorded answer, of the kind of its request. */
export type Decision = ClarificationDecision | PaymentDecision | CardDecision;

/** The run waits for a person: one card in the thread, decided at most once. */
export type Pause = {
  /** Opaque; the only thing a button carries (contract C36). */
  id: string;
  runId: string;
  /** The leg whose stream asked. */
  epoch: number;
  request: PauseRequest;
  /** Digest of what the card showed; a decision made on other terms is refused (contract C23). */
  termsDigest: string;
  state: PauseState;
  openedAt: Date;
  deadlineAt: Date;
  decision: Decision | null;
  /** Null while it is open, and where the policy declined. */
  decidedBy: string | null;
  decidedAt: Date | null;
};

/** A pause with the request of one kind. */
export type PauseOf<Kind extends PauseKind> = Pause & { request: Extract<PauseRequest, { kind: Kind }> };

export function isPauseOf<Kind extends PauseKind>(pause: Pause, kind: Kind): pause is PauseOf<Kind> {
  return pause.request.kind === kind;
}
