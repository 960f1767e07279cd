import { randomBytes, randomUUID } from 'node:crypto';

/** Source of the ids that the sandbox hands out. */
export type IdSource = {
  /** An id in Slack's style: a letter prefix and ten capitals or digits. */
  next(prefix: string): string;
  /** A message timestamp: seconds and six digits, never the same twice, never going back. */
  nextTs(): string;
  uuid(): string;
  /** An unguessable word, for hashes, tickets and triggers. */
  secret(): string;
};

/** Creates the id source of one sandbox. `now` is the clock in epoch milliseconds. */
export function createIdSource(now: () => number): IdSource {
  let counter = 0;
  let lastMicros = 0;
  return {
    next(prefix) {
      counter += 1;
      return `${prefix}0${counter.toString(36).toUpperCase().padStart(9, '0')}`;
    },
    nextTs() {
      lastMicros = Math.max(lastMicros + 1, Math.floor(now() * 1_000));
      const seconds = Math.floor(lastMicros / 1_000_000);
      return `${seconds}.${String(lastMicros % 1_000_000).padStart(6, '0')}`;
    },
    uuid: randomUUID,
    secret: () => randomBytes(16).toString('hex'),
  };
}
