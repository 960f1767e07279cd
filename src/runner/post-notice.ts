import { type NewOutboxMessage, notice } from '../domain/outbox.ts';
import type { RunnerParts } from './context.ts';

/** Says something short in the bot's own words, soon. Once per operation, however often it is asked for. */
export async function postNotice(
  deps: Pick<RunnerParts, 'store' | 'sender'>,
  where: Pick<NewOutboxMessage, 'channelId' | 'threadTs'>,
  message: { operationId: string; text: string; runId?: string; pauseId?: string },
): Promise<void> {
  await deps.store.outbox.add(notice(where, message));
  deps.sender.sendSoon(message.operationId);
}
