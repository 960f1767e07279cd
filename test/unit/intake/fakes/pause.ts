import type { Pause } from '../../../../src/domain/pause.ts';

export function openPause(changes: Partial<Pause> = {}): Pause {
  return {
    id: 'pause-1',
    runId: 'run-1',
    epoch: 1,
    request: { kind: 'clarification', question: 'Which colour?', options: ['red', 'blue'] },
    termsDigest: 'digest-1',
    state: 'open',
    openedAt: new Date('2026-01-01T10:00:00Z'),
    deadlineAt: new Date('2026-01-01T10:30:00Z'),
    decision: null,
    decidedBy: null,
    decidedAt: null,
    ...changes,
  };
}
