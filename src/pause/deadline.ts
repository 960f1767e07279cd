/** When a pause that nobody answers ends. `ttlMs` is how long it stays open, in milliseconds. */
export function pauseDeadline(openedAt: Date, ttlMs: number): Date {
  return new Date(openedAt.getTime() + ttlMs);
}
