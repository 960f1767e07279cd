import type { Json } from './json.ts';
import type { Setup } from './setup.ts';

/** A failure to come. Exactly one of `status`, `error` and `dropConnection` says how the call fails. */
export type ScriptedFault = {
  /** A Web API method, or `response_url`, `upload`, `download`. */
  method: string;
  /** How many calls fail. Default 1. */
  times?: number;
  /** An HTTP status with no JSON body, e.g. 503. */
  status?: number;
  /** A Slack error word, answered with HTTP 200. */
  error?: string;
  /** The connection ends without an answer. */
  dropConnection?: boolean;
  /** The call takes effect, only its answer is lost. Default false. */
  afterApplying?: boolean;
};

/** A rate limit to come: HTTP 429 with `Retry-After`. */
export type ScriptedLimit = { method: string; times?: number; retryAfterS: number };

type Planned = { left: number } & (
  | ({ kind: 'fault' } & ScriptedFault)
  | { kind: 'limit'; method: string; retryAfterS: number }
);

export type Fault =
  | Omit<Extract<Planned, { kind: 'fault' }>, 'left'>
  | Omit<Extract<Planned, { kind: 'limit' }>, 'left'>;

/** An answer to come late: the call takes effect, or fails, at once. */
export type ScriptedDelay = {
  method: string;
  times?: number;
  delayMs: number;
  /** Only a call with these arguments. Default: any. */
  match?: (args: Json) => boolean;
};

export type Faults = {
  failNext(fault: ScriptedFault): void;
  limitNext(limit: ScriptedLimit): void;
  delayNext(delay: ScriptedDelay): void;
  /** The next planned fault of a method, used up by one. */
  take(method: string): Fault | undefined;
  /** How late the answer to a call comes, used up by one; 0 if nothing is planned. */
  takeDelayMs(call: { method: string; args: Json }): number;
};

/** Creates the script of failures; faults of one method are taken in the order they were planned. */
export function createFaults(): Faults {
  const planned: Planned[] = [];
  const delays: Array<Required<ScriptedDelay>> = [];
  return {
    delayNext: (delay) => void delays.push({ times: 1, match: () => true, ...delay }),
    takeDelayMs({ method, args }) {
      const next = delays.find((delay) => delay.method === method && delay.times > 0 && delay.match(args));
      if (next === undefined) return 0;
      next.times -= 1;
      return next.delayMs;
    },
    failNext(fault) {
      const ways = [fault.status, fault.error, fault.dropConnection].filter((way) => way !== undefined);
      if (ways.length !== 1) throw new Error('failNext needs exactly one of status, error, dropConnection');
      planned.push({ kind: 'fault', ...fault, left: fault.times ?? 1 });
    },
    limitNext: ({ method, times = 1, retryAfterS }) =>
      void planned.push({ kind: 'limit', method, retryAfterS, left: times }),
    take(method) {
      const next = planned.find((fault) => fault.method === method && fault.left > 0);
      if (next !== undefined) next.left -= 1;
      return next;
    },
  };
}

/** Calls per minute of Slack's tiers (slack.md 3.2), per method and workspace. */
const TIER_PER_MINUTE = { 2: 20, 3: 50, 4: 100 } as const;
const WINDOW_MS = 60_000;
/** chat.postMessage: one a second and channel, after a short burst. Slack gives no number for the burst. */
const POST_BURST = 5;

export type Tier = keyof typeof TIER_PER_MINUTE | 'post' | 'unlimited';

export type RateLimiter = {
  /** Counts a call. Seconds to wait if it is one too many (it is then not counted), else 0. */
  admit(call: { method: string; tier: Tier; channel: string }): number;
};

/** Creates the limiter with Slack's real limits; it lets everything through unless the setup asks for them. */
export function createRateLimiter(setup: Pick<Setup, 'rateLimits' | 'now'>): RateLimiter {
  const calls = new Map<string, number[]>();
  const admit = (key: string, limit: { max: number; windowMs: number }) => {
    const now = setup.now();
    const recent = (calls.get(key) ?? []).filter((at) => at > now - limit.windowMs);
    calls.set(key, recent);
    const oldest = recent[0];
    if (recent.length >= limit.max && oldest !== undefined) {
      return Math.max(1, Math.ceil((oldest + limit.windowMs - now) / 1_000));
    }
    recent.push(now);
    return 0;
  };
  return {
    admit({ method, tier, channel }) {
      if (!setup.rateLimits || tier === 'unlimited') return 0;
      if (tier === 'post') return admit(`${method}/${channel}`, { max: POST_BURST, windowMs: POST_BURST * 1_000 });
      return admit(method, { max: TIER_PER_MINUTE[tier], windowMs: WINDOW_MS });
    },
  };
}
