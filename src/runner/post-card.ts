import type { Card } from '../domain/card.ts';
import { cardNoticeOperation, runMessage } from '../domain/outbox.ts';
import type { Leg } from '../domain/ports/store.ts';
import type { Run } from '../domain/run.ts';
import type { RunnerParts } from './context.ts';

/** Shows a card of a leg that only informs, in a message of its own. Nothing waits for it, and it fails nothing. */
export async function postCard(
  deps: Pick<RunnerParts, 'store' | 'sender' | 'logger'>,
  { run, leg, card, index }: { run: Run; leg: Leg; card: Card; index: number },
): Promise<void> {
  try {
    const operationId = cardNoticeOperation(leg, index);
    await deps.store.outbox.add(runMessage(run, { operationId, kind: 'info_card', card }));
    deps.sender.sendSoon(operationId);
  } catch (error) {
    deps.logger.warn({ err: error }, 'info_card_not_posted');
  }
}
