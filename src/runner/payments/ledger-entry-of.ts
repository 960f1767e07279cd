import type { Pause } from '../../domain/pause.ts';
import type { LedgerEntry } from '../../domain/payment.ts';
import type { RunnerDeps } from '../context.ts';

/** The ledger's entry of a payment; null for the other kinds of pauses, which have none. */
export async function ledgerEntryOf({ store }: Pick<RunnerDeps, 'store'>, pause: Pause): Promise<LedgerEntry | null> {
  return pause.request.kind === 'payment' ? store.ledger.get(pause.id) : null;
}
