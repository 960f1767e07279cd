import type { PauseOf } from '../../domain/pause.ts';
import type { CardRun } from '../card-run.ts';

/** All that the message of a card interaction shows. The requester of the run answers it. */
export type InteractionView = { pause: PauseOf<'card'>; run: CardRun };
