import type { Pause, PauseKind } from '../domain/pause.ts';
import type { Run } from '../domain/run.ts';
import type { RunnerParts } from './context.ts';
import { mayDecideNow } from './payments/open-payment.ts';

type Waiting = { pause: Pause; run: Run };

/**
 * The pauses that wait for a person: questions and cards of their own runs, and payments that the policy lets them
 * decide, whoever asked. `asked`: what their own runs wait for, also where others have to decide.
 */
export async function waitingFor(
  deps: RunnerParts,
  { actorId, limit }: { actorId: string; limit: number },
): Promise<{ asked: Map<string, PauseKind>; waiting: Waiting[] }> {
  const { pauses } = deps.store;
  const [own, payments] = await Promise.all([pauses.openFor(actorId, limit), pauses.openPayments(limit)]);
  const decidable = await Promise.all(
    payments.map(async (waiting) => ((await mayDecideNow(deps, waiting.pause, actorId)) ? [waiting] : [])),
  );
  const answerable = own.filter(({ pause }) => pause.request.kind !== 'payment');
  return {
    asked: new Map(own.map(({ pause, run }) => [run.id, pause.request.kind])),
    waiting: [...answerable, ...decidable.flat()].slice(0, limit),
  };
}
