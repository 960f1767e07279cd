import type { OutboxMessage } from '../../../src/domain/outbox.ts';

/** A status message that is owed and was never posted. */
export function owedStatus(fields: Partial<OutboxMessage> = {}): OutboxMessage {
  return {
    operationId: 'status-run',
    kind: 'status',
    channelId: 'C1',
    threadTs: '1.000001',
    runId: 'run',
    pauseId: null,
    part: 0,
    parts: 1,
    text: null,
    card: null,
    ts: null,
    wantedRev: 1,
    shownRev: 0,
    attempts: 0,
    ...fields,
  };
}
