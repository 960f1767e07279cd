import type { PauseKind, PauseRequest } from '../../../domain/pause.ts';
import type { Clarification } from './clarification.ts';

const PAUSE_KINDS = new Map<string, PauseKind>([
  ['clarification_requested', 'clarification'],
  ['payment_requested', 'payment'],
  ['card_interaction_requested', 'card'],
]);

/** The kind of pause that a `plan_status` asks for, or null. */
export function pauseKindOf(planStatus: string): PauseKind | null {
  return PAUSE_KINDS.get(planStatus.trim().toLowerCase()) ?? null;
}

/**
 * Keeps what a leg says of a pause. The leg is paused if the last `plan_status` asked for one; a later one that does
 * not takes it back, and its question with it.
 */
export interface PauseWatch {
  seeStatus(planStatus: string): void;
  seeClarification(clarification: Clarification): void;
  /**
   * The pause that stands, or null. `legText` is the question when no metadata held one, and else what was said before
   * it: a person who is to choose "the second one" needs to read it.
   */
  request(legText: string): PauseRequest | null;
}

export function createPauseWatch(): PauseWatch {
  let kind: PauseKind | null = null;
  let question: string | null = null;
  let options: string[] = [];
  return {
    seeStatus(planStatus) {
      const next = pauseKindOf(planStatus);
      if (kind !== null && next === null) {
        question = null;
        options = [];
      }
      kind = next;
    },
    seeClarification(clarification) {
      question = clarification.question ?? question;
      if (clarification.options.length > 0) options = clarification.options;
    },
    request(legText) {
      if (kind === null) return null;
      if (kind !== 'clarification') return { kind };
      return { kind, question: joined(legText.trim(), question), options };
    },
  };
}

function joined(said: string, question: string | null): string | null {
  if (question === null || said === '') return question ?? (said || null);
  return said.includes(question.trim()) ? said : `${said}\n\n${question}`;
}
