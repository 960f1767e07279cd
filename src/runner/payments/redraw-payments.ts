import { cardOperation } from '../../domain/outbox.ts';
import type { RunnerParts } from '../context.ts';

/** More than ever wait at once; what is beyond is drawn when something else changes it. */
const LIMIT = 1_000;

/** Draws the cards of open payments again, which say who may decide and how the caps stand. */
export async function redrawPayments({ store, sender }: Pick<RunnerParts, 'store' | 'sender'>): Promise<void> {
  const open = await store.pauses.openPayments(LIMIT);
  const operationIds = open.map(({ pause }) => cardOperation(pause.id));
  await store.outbox.touch(operationIds);
  for (const operationId of operationIds) sender.sendSoon(operationId);
}
