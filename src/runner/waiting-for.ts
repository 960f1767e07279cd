import type { Pause } from '../domain/pause.ts';
import type { Run } from '../domain/run.ts';
import type { RunnerParts } from './context.ts';
import { mayDecideNow } from './payments/payment-actions.ts';

type Waiting = { pause: Pause; run: Run };

/**
 * The pauses that wait for a person: questions and cards of their own runs, and payments that the policy lets them
 * decide, whoever asked.
 */
export async function waitingFor(
  deps: RunnerParts,
  { actorId, limit }: { actorId: string; limit: number },
): Promise<Waiting[]> {
  const { pauses } = deps.store;
  const [own, payments] = await Promise.all([pauses.openFor(actorId, limit), pauses.openPayments(limit)]);
  const decidable = await Promise.all(
    payments.map(async (waiting) => ((await mayDecideNow(deps, waiting.pause, actorId)) ? [waiting] : [])),
  );
  return [...own.filter(({ pause }) => pause.request.kind !== 'payment'), ...decidable.flat()].slice(0, limit);
}
