import type { Pause } from '../domain/pause.ts';

/** When a pause that nobody answers ends. `ttlMs` is how long it stays open, in milliseconds. */
export function pauseDeadline(openedAt: Date, ttlMs: number): Date {
  return new Date(openedAt.getTime() + ttlMs);
}

/** When a pause stopped taking answers, as far as that is recorded; null for a cancelled one. */
export function closedAt(pause: Pick<Pause, 'state' | 'decidedAt' | 'deadlineAt'>): Date | null {
  if (pause.state === 'cancelled') return null;
  return pause.state === 'decided' ? pause.decidedAt : pause.deadlineAt;
}
