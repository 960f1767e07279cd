/** How often and how patiently a request that did not reach the planner is sent. `attempts` counts the first one. */
export type RetryPolicy = { attempts: number; baseDelayMs: number; maxDelayMs: number };

export const DEFAULT_RETRY: RetryPolicy = { attempts: 5, baseDelayMs: 500, maxDelayMs: 15_000 };

/** Longest wait that a planner's `Retry-After` can ask for. */
const MAX_RETRY_AFTER_MS = 60_000;

/** The wait before the next attempt: what the planner asked for, or an exponential backoff with half of it random. */
export function retryDelayMs(
  policy: RetryPolicy,
  failed: { attempt: number; retryAfterMs: number | null; random: () => number },
): number {
  if (failed.retryAfterMs !== null) return failed.retryAfterMs;
  const ceiling = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (failed.attempt - 1));
  return Math.round(ceiling * (0.5 + failed.random() / 2));
}

/** Reads `Retry-After`, in seconds or as an HTTP date (RFC 9110, 10.2.3), in milliseconds from 0 to 60,000. */
export function parseRetryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1_000;
  return Number.isNaN(waitMs) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, Math.ceil(waitMs)));
}
