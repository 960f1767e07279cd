import { cardOperation } from '../domain/outbox.ts';
import type { Leg } from '../domain/ports/store.ts';
import type { RunnerParts } from './context.ts';

/**
 * Notes in the ledger that the plan has gone on past a payment, as soon as it is seen to.
 *
 * Owns at most one write, begun once per leg. One that fails is made up for at the leg's end, which settles too if the
 * run is completed or paused; if it is cut, the payment counts as unknown, which is the safe side.
 */
export type Settler = { begin(): void; close(): Promise<void> };

export function createSettler(deps: Pick<RunnerParts, 'store' | 'sender' | 'logger'>, leg: Leg): Settler {
  let writing: Promise<void> | undefined;

  async function settle(): Promise<void> {
    try {
      if (!(await deps.store.runs.settle(leg))) return;
      deps.logger.info('payment_settled');
      const pause = await deps.store.pauses.latestOf(leg.runId);
      if (pause) deps.sender.sendSoon(cardOperation(pause.id));
    } catch (error) {
      deps.logger.warn({ err: error }, 'payment_not_settled');
    }
  }

  return {
    begin() {
      writing ??= settle();
    },
    async close() {
      await writing;
    },
  };
}
