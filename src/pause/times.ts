import type { Pause, PauseRequest } from '../domain/pause.ts';

/**
 * When a pause that nobody answers ends: `ttlMs` after it was opened, or at a payment's own deadline when that is
 * sooner, which counts from its receipt (contract C18, C24).
 */
export function pauseDeadline(openedAt: Date, { request, ttlMs }: { request: PauseRequest; ttlMs: number }): Date {
  const own = request.kind === 'payment' ? request.terms.deadlineSeconds : null;
  const lastsMs = own === null ? ttlMs : Math.min(ttlMs, Math.max(0, own) * 1000);
  return new Date(openedAt.getTime() + lastsMs);
}

/** When people are reminded of a pause: at two thirds of its time. */
export function reminderTime({ openedAt, deadlineAt }: Pick<Pause, 'openedAt' | 'deadlineAt'>): Date {
  return new Date(openedAt.getTime() + Math.ceil(((deadlineAt.getTime() - openedAt.getTime()) * 2) / 3));
}

/** When a pause stopped taking answers, as far as that is recorded; null for a cancelled one. */
export function closedAt(pause: Pick<Pause, 'state' | 'decidedAt' | 'deadlineAt'>): Date | null {
  if (pause.state === 'cancelled') return null;
  return pause.state === 'decided' ? pause.decidedAt : pause.deadlineAt;
}
