import type { Card, Selection } from '../../domain/card.ts';
import type { PauseState } from '../../domain/pause.ts';
import type { Run } from '../../domain/run.ts';

/**
 * A person's answer to a card: a choice by its `label`, filled-in values in `selection`, or words of their own in
 * `text`; none of them when `isCancelled`.
 */
export type CardAnswer = { label: string | null; selection: Selection; text: string | null; isCancelled: boolean };

/** All that the message of a card interaction shows. The requester of the run decides. */
export type InteractionView = {
  card: Card;
  pause: {
    id: string;
    state: PauseState;
    deadlineAt: Date;
    decidedBy: string | null;
    decidedAt: Date | null;
    decision: CardAnswer | null;
  };
  run: Pick<Run, 'id' | 'requesterId' | 'stopRequestedBy' | 'choice'>;
  now: Date;
};
