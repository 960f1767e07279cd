import type { IdSource } from './ids.ts';
import { Refusal } from './refusal.ts';

/** What a trigger id stands for: the person who acted, and the view they acted in. */
export type TriggerOrigin = { userId: string; viewId: string | null };

export type Triggers = {
  issue(origin: TriggerOrigin): string;
  /** Uses a trigger up. Refuses unknown, old and used ones with Slack's words. */
  exchange(triggerId: string): TriggerOrigin;
};

/** Creates the trigger ids of one sandbox: single use, expiring (slack.md 3.1). */
export function createTriggers(input: { now: () => number; ttlMs: number; ids: IdSource }): Triggers {
  const issued = new Map<string, { origin: TriggerOrigin; atMs: number; used: boolean }>();
  return {
    issue(origin) {
      const id = `${Math.floor(input.now() / 1_000)}.${issued.size}.${input.ids.secret()}`;
      issued.set(id, { origin, atMs: input.now(), used: false });
      return id;
    },
    exchange(triggerId) {
      const trigger = issued.get(triggerId);
      if (trigger === undefined) throw new Refusal('invalid_trigger_id');
      if (trigger.used) throw new Refusal('exchanged_trigger_id');
      if (input.now() - trigger.atMs > input.ttlMs) throw new Refusal('expired_trigger_id');
      trigger.used = true;
      return trigger.origin;
    },
  };
}
