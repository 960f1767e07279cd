import type { SandboxCall } from './calls.ts';
import { type WaitOptions, waitForChange } from './changes.ts';
import { describeState } from './describe.ts';
import type { SandboxMessage } from './history.ts';
import { pingsOf } from './pings.ts';
import type { SandboxState } from './state.ts';
import type { SandboxView } from './views.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

export type MessageWait = WaitOptions & {
  channel?: string;
  /** Only replies of this thread (or its root). */
  threadTs?: string;
  /** Default: any message of the bot. */
  match?: (message: SandboxMessage) => boolean;
};

/** How a test looks at the sandbox, and waits for what it wants to see. */
export type Queries = {
  /** Messages of a thread that stand, root first. */
  thread(channel: string, ts: string): SandboxMessage[];
  /** All messages of a channel that stand, replies too, oldest first. */
  messages(channel: string): SandboxMessage[];
  /** Everything that was ever posted, deleted and ephemeral messages too. */
  everything(): readonly SandboxMessage[];
  ephemerals(input?: { user?: string; channel?: string }): SandboxMessage[];
  openViews(user: string): SandboxView[];
  views(): readonly SandboxView[];
  /** The app's calls, oldest first; without a method, all. */
  calls(method?: string): SandboxCall[];
  /** The calls that failed; not those that still wait for their answer. */
  refused(): SandboxCall[];
  /**
   * Resolves with the first truthy result; looks again after every change, and never in between. A predicate that throws
   * counts as "not yet". Rejects with a dump of the conversations after `timeoutMs` (60,000).
   */
  waitFor<T>(predicate: () => T, options?: WaitOptions): Promise<NonNullable<T>>;
  /** Resolves with the first standing message, ephemeral ones too, that matches. */
  waitForMessage(wait: MessageWait): Promise<SandboxMessage>;
  /** Who a message would ping: `<!channel>`, `<@U…>`, `<!subteam^…>`; raw `@here` where `parse` or `link_names` ask for it. */
  pings(message: SandboxMessage): string[];
  /** The state as text, for a person. */
  describe(): string;
};

/** Creates the queries of one sandbox. */
export function createQueries(state: SandboxState, defaults: { channel: string }): Queries {
  const { history, views, changes } = state;
  const describe = () => describeState(state);
  const waitFor: Queries['waitFor'] = (predicate, { timeoutMs = DEFAULT_TIMEOUT_MS } = {}) =>
    waitForChange({ changes, predicate, timeoutMs, describe });

  return {
    thread: (channel, threadTs) => history.inThread({ channel, threadTs }),
    messages: (channel) => history.inChannel(channel),
    everything: () => history.all(),
    ephemerals: ({ user, channel } = {}) =>
      history
        .ephemerals()
        .filter((message) => user === undefined || message.ephemeralFor === user)
        .filter((message) => channel === undefined || message.channel === channel),
    openViews: (user) => views.openOf(user),
    views: () => views.all(),
    calls: (method) => state.calls.of(method),
    refused: () => state.calls.of().filter(({ ok, status, error }) => !ok && (status ?? error) !== null),
    waitFor,
    waitForMessage({ channel = defaults.channel, threadTs, match, ...options }) {
      const wanted = match ?? ((message: SandboxMessage) => message.userId === state.setup.bot.userId);
      const inPlace = (message: SandboxMessage) =>
        message.channel === channel && (threadTs === undefined || [message.ts, message.threadTs].includes(threadTs));
      return waitFor(() => history.all().find((m) => !m.deleted && inPlace(m) && wanted(m)), options);
    },
    pings: pingsOf,
    describe,
  };
}
