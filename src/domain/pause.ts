/** Why a run waits for a person. */
export type PauseKind = 'clarification' | 'payment' | 'card';

export const PAUSE_STATES = ['open', 'decided', 'expired', 'cancelled'] as const;
export type PauseState = (typeof PAUSE_STATES)[number];

/**
 * What the planner asks a person, as read from its stream.
 *
 * `question` is the planner's text in full, or null when it paused without any. Payment and card requests carry no
 * terms yet: runs that meet one end with a plain message.
 */
export type PauseRequest =
  | { kind: 'clarification'; question: string | null; options: string[] }
  | { kind: 'payment' }
  | { kind: 'card' };

/** The pauses that can be put in front of a person today. */
export type AnswerableRequest = Extract<PauseRequest, { kind: 'clarification' }>;

export const DECISION_SOURCES = ['option', 'modal', 'reply'] as const;

/**
 * A person's answer to a pause, as plain words for the planner and for the card.
 *
 * `source` says how it was given: a button (`option`), the modal, or a reply in the thread. `requestKey` is the reply's,
 * so that the same message delivered again is known to be the answer and not a new request; null for clicks.
 */
export type Decision = {
  kind: 'clarification';
  answer: string;
  source: (typeof DECISION_SOURCES)[number];
  requestKey: string | null;
};

/** The run waits for a person: one card in the thread, decided at most once. */
export type Pause = {
  /** Opaque; the only thing a button carries (contract C36). */
  id: string;
  runId: string;
  /** The leg whose stream asked. */
  epoch: number;
  request: AnswerableRequest;
  /** Digest of what the card showed; a decision made on other terms is refused (contract C23). */
  termsDigest: string;
  state: PauseState;
  openedAt: Date;
  deadlineAt: Date;
  decision: Decision | null;
  decidedBy: string | null;
  decidedAt: Date | null;
};
