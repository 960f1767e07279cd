/** A command line cannot be used; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** sysexits.h: called in a wrong way; the database cannot be used; settings or policy cannot be used. */
export const EXIT = { ok: 0, failed: 1, usage: 64, unavailable: 69, config: 78 } as const;
