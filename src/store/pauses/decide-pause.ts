import type { PauseStore, PauseVerdict } from '../../domain/ports/store.ts';
import type { Trx } from '../database.ts';
import { decline } from '../ledger/ledger-moves.ts';
import { lockOpenPause } from './locked-pause.ts';
import { recordDecision } from './record-decision.ts';

/** Takes any decision but an approval of a payment, which needs the ledger's word. */
export async function decidePause(trx: Trx, input: Parameters<PauseStore['decide']>[0]): Promise<PauseVerdict> {
  const { decision } = input;
  const found = await lockOpenPause(trx, input);
  if (found.kind !== 'open') return found;
  const { pause } = found;
  if (pause.request.kind !== decision.kind)
    throw new TypeError(`A ${decision.kind} cannot decide a ${pause.request.kind}`);
  if (decision.kind === 'payment') {
    if (decision.verdict === 'approve') throw new TypeError('A payment is approved through the ledger');
    await decline(trx, { pauseId: pause.id, at: input.at });
  }
  return recordDecision(trx, pause, input);
}
