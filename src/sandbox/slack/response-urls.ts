import type { IdSource } from './ids.ts';

/** What a response URL may act on: a channel, the person it answers, and the message it came from, if any. */
export type ResponseOrigin = { channel: string; userId: string; messageTs: string | null; threadTs: string | null };

export type ResponseUrls = {
  /** The path of a new response URL. */
  issue(origin: ResponseOrigin): string;
  /** Uses a URL once; `expired` after 30 minutes, `used` after five times, `unknown` if it was never issued. */
  use(path: string): ResponseOrigin | 'unknown' | 'expired' | 'used';
};

const TTL_MS = 30 * 60_000;
const MAX_USES = 5;

/** Creates the response URLs of one sandbox (slack.md 3.1). */
export function createResponseUrls(input: { now: () => number; ids: IdSource }): ResponseUrls {
  const issued = new Map<string, { origin: ResponseOrigin; atMs: number; uses: number }>();
  return {
    issue(origin) {
      const path = `/actions/${input.ids.secret()}`;
      issued.set(path, { origin, atMs: input.now(), uses: 0 });
      return path;
    },
    use(path) {
      const entry = issued.get(path);
      if (entry === undefined) return 'unknown';
      if (input.now() - entry.atMs > TTL_MS) return 'expired';
      if (entry.uses >= MAX_USES) return 'used';
      entry.uses += 1;
      return entry.origin;
    },
  };
}
