import type { Card } from '../../../domain/card.ts';
import type { PauseKind, PauseRequest } from '../../../domain/pause.ts';
import { withWords } from '../card/card-words.ts';
import type { JsonRecord } from '../values/json-record.ts';
import { isNoText } from '../values/no-text.ts';
import { dropSecrets } from '../values/received-text.ts';
import type { FoundQuestion } from './clarification.ts';
import { createPauseDetails } from './pause-details.ts';

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
 * not takes it back, and what it asked with it. Of one event, the status is to be told first.
 */
export interface PauseWatch {
  seeStatus(planStatus: string): void;
  seeQuestion(question: FoundQuestion): void;
  /** Looks for payments and cards in `metadata`; gives the cards that only inform, each once per leg. */
  seeMetadata(metadata: JsonRecord): Card[];
  /** Looks for a payment or card in an object beside the plan; gives what `seeMetadata` gives. */
  seeBeside(record: JsonRecord): Card[];
  /**
   * The pause that stands, or null. `legText` is the question when no metadata held one, and else what was said before
   * it: a person who is to choose "the second one" needs to read it. A card has it as its first text.
   */
  request(legText: string): PauseRequest | null;
  /** Whether the status asks for a card's answer, and the only card there was informs: nothing waits for one. */
  onlyInforms(): boolean;
}

export function createPauseWatch(): PauseWatch {
  const details = createPauseDetails();
  let kind: PauseKind | null = null;
  let question: string | null = null;
  let options: string[] = [];
  const onlyInforms = (): boolean =>
    kind === 'card' && question === null && details.card() === null && details.hasInformed();
  return {
    onlyInforms,
    seeStatus(planStatus) {
      const next = pauseKindOf(planStatus);
      if (kind !== null && next === null) {
        question = null;
        options = [];
        details.forget();
      }
      kind = next;
    },
    seeQuestion(found) {
      question = found.question ?? question;
      if (found.options.length > 0) options = found.options;
    },
    seeMetadata: details.see,
    seeBeside: details.seeBeside,
    request(legText) {
      if (kind === null || onlyInforms()) return null;
      const terms = kind === 'payment' ? details.payment() : null;
      const asked = joined(isNoText(legText) ? '' : legText.trim(), question);
      if (terms !== null) return { kind: 'payment', terms, said: saidBeside(asked) };
      const card = kind === 'card' ? details.card() : null;
      if (card !== null) return { kind: 'card', card: withWords(card, asked) };
      const unread = kind === 'clarification' ? null : kind;
      if (unread === null) return { kind: 'clarification', question: asked, options, unread };
      // What could not be read as a payment or a card is shown as text, and may hold the secrets that they hold.
      const shown = asked === null ? null : dropSecrets(asked);
      // An option is a button: none may look like the approval of terms that could not be shown.
      const offered = unread === 'payment' ? [] : options.map(dropSecrets);
      return { kind: 'clarification', question: shown, options: offered, unread };
    },
  };
}

function joined(said: string, question: string | null): string | null {
  if (question === null || said === '') return question ?? (said || null);
  return said.includes(question.trim()) ? said : `${said}\n\n${question}`;
}

/** More than a card shows; what follows says nothing that a decision rests on. */
const SAID = 10_000;

/** The planner's words beside a payment, without secrets. */
function saidBeside(asked: string | null): string | null {
  return asked === null ? null : dropSecrets(asked.slice(0, SAID));
}
