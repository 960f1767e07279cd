import type { SandboxMessage } from '../../src/sandbox/slack/history.ts';
import type { SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { botMessages, isCard, isStatus, type Thread } from './bot-messages.ts';

/** What a thread shows, as somebody who looks at it would say it. */
export function watchRuns(stage: { readonly slack: SandboxSlack }) {
  const inThread = (thread: Thread): SandboxMessage[] => botMessages(stage.slack, thread);

  /** The first run's status message. */
  function statusOf(thread: Thread): SandboxMessage {
    const [status] = inThread(thread);
    if (!status || !isStatus(status)) throw new Error('The thread has no status message');
    return status;
  }

  const shows = (thread: Thread, words: string): boolean => textOf(statusOf(thread)).includes(words);

  return {
    inThread,
    statusOf,
    shows,
    /** Asks in a channel; `scenario` is the planner's script. */
    ask: (words: string, scenario: string, channel = stage.slack.setup.channels[0]?.id ?? '') =>
      stage.slack.mention({ text: `<@${stage.slack.setup.bot.userId}> ${words} [scenario:${scenario}]`, channel }),
    /** The status message shows these words: `Done`, `Failed`, … */
    until: (thread: Thread, words: string, timeoutMs = 60_000) =>
      stage.slack.waitFor(() => shows(thread, `*${words}*`) || null, { timeoutMs }),
    /** The newest card with buttons, once it stands and the status message says that the run waits: it can be answered. */
    untilAsked: (thread: Thread): Promise<SandboxMessage> =>
      stage.slack.waitFor(
        () =>
          (shows(thread, '*Waiting for') && inThread(thread).findLast((it) => isCard(it) && hasButtons(it))) || null,
        { timeoutMs: 60_000 },
      ),
    /** The messages after the status message, once there are so many. */
    async replies(thread: Thread, count = 1): Promise<SandboxMessage[]> {
      await stage.slack.waitFor(() => inThread(thread).length > count, { timeoutMs: 60_000 });
      return inThread(thread).slice(1);
    },
  };
}

/** Everything that a message shows: its text, and each text in its blocks, on a line of its own. */
export function textOf(message: Pick<SandboxMessage, 'text' | 'blocks'>): string {
  return [message.text, ...textsIn(message.blocks)].join('\n');
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && ['text', 'title'].includes(key) ? [inner] : textsIn(inner),
  );
}

/** The actions that a message offers, by their labels. */
export function buttonsOf(message: SandboxMessage): string[] {
  return message.blocks.filter((block) => block.type === 'actions').flatMap((block) => textsIn(block.elements));
}

/** Times between the edits of a message, in milliseconds; its post is none. */
export function editGapsMs(message: SandboxMessage): number[] {
  const times = message.versions.slice(1).map((version) => version.atMs);
  return times.slice(1).map((at, index) => at - (times[index] ?? at));
}

export function hasButtons(message: SandboxMessage): boolean {
  return message.blocks.some((block) => block.type === 'actions');
}
