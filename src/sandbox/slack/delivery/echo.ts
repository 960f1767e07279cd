import type { SandboxMessage } from '../history.ts';
import type { SandboxState } from '../state.ts';
import type { Courier } from './courier.ts';
import { changedEvent, deletedEvent, messageEvent } from './events.ts';

/**
 * Sends the app the events that its own posts, edits and deletions cause, as Slack does for every channel the app
 * listens to. Nobody waits for them; `idle` resolves when none is on its way.
 */
export type Echo = {
  posted(message: SandboxMessage): void;
  changed(after: SandboxMessage, before: SandboxMessage): void;
  deleted(message: SandboxMessage): void;
  idle(): Promise<void>;
};

/** Creates the echo; silent unless the setup asks for it. */
export function createEcho(state: SandboxState, courier: Courier): Echo {
  const underWay = new Set<Promise<unknown>>();
  const send = (event: () => Parameters<Courier['event']>[0]) => {
    if (!state.setup.echoBotMessages) return;
    const delivery = courier.event(event()).finally(() => underWay.delete(delivery));
    underWay.add(delivery);
  };
  return {
    posted: (message) => send(() => messageEvent(state, message)),
    changed: (after, before) => send(() => changedEvent(state, after, before)),
    deleted: (message) => send(() => deletedEvent(state, message)),
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
