import { within } from '../async/within.ts';
import type { Card } from '../domain/card.ts';
import { cardNoticeOperation, runMessage } from '../domain/outbox.ts';
import type { Run } from '../domain/run.ts';
import { termsDigest } from '../pause/terms-digest.ts';
import type { RunnerParts } from './context.ts';

/** A leg's end waits so long for its cards; what comes after them is kept behind them in any case. */
const PATIENCE_MS = 5_000;

/** Shows the cards of a leg that only inform, one after the other. */
export type CardPoster = {
  post(card: Card): void;
  /** Resolves when all are shown, or Slack takes its time with them. Never rejects. */
  close(): Promise<void>;
};

type Deps = Pick<RunnerParts, 'store' | 'sender' | 'logger'>;

export function createCardPoster(deps: Deps, run: Run): CardPoster {
  let posting = Promise.resolve();
  return {
    post(card) {
      posting = posting.then(() => postCard(deps, run, card));
    },
    close: () => within(posting, { ms: PATIENCE_MS, late: () => undefined }),
  };
}

/** In a message of its own, once per run. Nothing waits for it, and it fails nothing. */
async function postCard({ store, sender, logger }: Deps, run: Run, card: Card): Promise<void> {
  try {
    const operationId = cardNoticeOperation(run.id, termsDigest({ kind: 'card', card }));
    await store.outbox.add(runMessage(run, { operationId, kind: 'info_card', card }));
    await sender.send(operationId);
  } catch (error) {
    logger.warn({ err: error }, 'info_card_not_posted');
  }
}
