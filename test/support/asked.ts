import type { RecordedRequest } from '../../src/sandbox/planner/request-log.ts';
import type { SandboxPlanner } from '../../src/sandbox/planner/sandbox-planner.ts';
import type { SandboxMessage } from '../../src/sandbox/slack/history.ts';
import type { SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { botMessages, type Thread } from './bot-messages.ts';

type Servers = { readonly slack: SandboxSlack; readonly planner: SandboxPlanner };

function shown(message: SandboxMessage): string {
  return `${message.text}\n${JSON.stringify(message.blocks)}`;
}

/** What became of requests: the bot's messages in a thread, and what the planner was sent. */
export function createAsked(stage: Servers) {
  const inThread = (thread: Thread): SandboxMessage[] => botMessages(stage.slack, thread);

  /** Planner requests whose last user turn holds these words. */
  const requestsFor = (words: string): RecordedRequest[] =>
    stage.planner.requests.filter(({ messages }) => JSON.stringify(messages.at(-1) ?? null).includes(words));

  const answersIn = (thread: Thread): SandboxMessage[] =>
    inThread(thread).filter((message) => shown(message).includes('Two and two is four.'));

  const statusesIn = (thread: Thread, words: string): SandboxMessage[] =>
    inThread(thread).filter((message) => shown(message).includes('Asked by') && shown(message).includes(words));

  return {
    inThread,
    requestsFor,
    answersIn,
    statusesIn,
    /** The thread's runs are all over, so many of them, each with its answer. */
    answered: (thread: Thread, times = 1, timeoutMs = 60_000) =>
      stage.slack.waitFor(() => answersIn(thread).length >= times && statusesIn(thread, 'Done').length >= times, {
        timeoutMs,
      }),
    /**
     * What was delivered before is worked on by now: another request in another thread has been through the whole bot.
     */
    async caughtUp(): Promise<void> {
      const probe = await stage.slack.mention({
        text: 'probe [scenario:answer-only]',
        channel: stage.slack.setup.channels[1]?.id ?? '',
      });
      await stage.slack.waitFor(() => statusesIn(probe, 'Done').length === 1 && answersIn(probe).length === 1, {
        timeoutMs: 60_000,
      });
    },
  };
}

export type Asked = ReturnType<typeof createAsked>;
