import type { RecordedRequest } from '../../src/sandbox/planner/request-log.ts';
import type { SandboxPlanner } from '../../src/sandbox/planner/sandbox-planner.ts';
import type { Scenario, Step } from '../../src/sandbox/planner/scenario.ts';
import type { SandboxMessage } from '../../src/sandbox/slack/history.ts';
import type { SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import { botMessages, isCard, isStatus, type Thread } from './bot-messages.ts';
import { hasButtons, textOf } from './watched-runs.ts';

/** A script that asks a question with these fields in its metadata, and quotes the answer when it has it. */
export function questionScript(metadata: Record<string, unknown>, text?: string): Scenario {
  const said: Step[] = text === undefined ? [] : [{ text }];
  return {
    about: 'asks once',
    legs: [
      [...said, { plan: { plan_status: 'clarification_requested', ...metadata } }, { finish: 'stop' }, { done: true }],
      [{ text: 'Heard: {{answer}}' }, { plan: { plan_status: 'completed' } }, { finish: 'stop' }, { done: true }],
    ],
  };
}

/** Runs that wait for a person: their cards, and what the planner was told. `words` are in no other request. */
export function createPausedRuns(stage: { readonly slack: SandboxSlack; readonly planner: SandboxPlanner }) {
  const inThread = (thread: Thread): SandboxMessage[] => botMessages(stage.slack, thread);
  const cardsOf = (thread: Thread): SandboxMessage[] => inThread(thread).filter(isCard);
  const cardOf = (thread: Thread, index = 0): SandboxMessage => {
    const card = cardsOf(thread)[index];
    if (!card) throw new Error('The thread has no such card');
    return card;
  };
  const statusOf = (thread: Thread): SandboxMessage | undefined => inThread(thread).find(isStatus);
  const statusText = (thread: Thread): string => [statusOf(thread) ?? []].flat().map(textOf).join('');
  const requestsFor = (words: string): RecordedRequest[] =>
    stage.planner.requests.filter(({ messages }) => JSON.stringify(messages).includes(words));

  return {
    inThread,
    cardsOf,
    cardOf,
    statusOf,
    statusText,
    requestsFor,
    /** Asks with a script; resolves with the thread once its card and the waiting status stand. */
    async ask(words: string, scenario: string | Scenario, channel?: string): Promise<Thread> {
      stage.planner.use(scenario, { times: 1, match: words });
      const sent = await stage.slack.mention({ text: words, ...(channel ? { channel } : {}) });
      await stage.slack.waitFor(() => cardsOf(sent).length === 1 && statusText(sent).includes('Waiting for'));
      return sent;
    },
    /** An answer holds these words, the status message says that the run is done, and no card has buttons. */
    answered: (thread: Thread, words: string) =>
      stage.slack.waitFor(
        () =>
          statusText(thread).includes('*Done*') &&
          inThread(thread).some((message) => textOf(message).includes(words)) &&
          !cardsOf(thread).some(hasButtons),
        { timeoutMs: 60_000 },
      ),
    settled: (thread: Thread, index = 0) => stage.slack.waitFor(() => !hasButtons(cardOf(thread, index))),
    /** Private messages to one person, after the first `before`. */
    whispersTo: (user: string, before = 0): string[] =>
      stage.slack
        .ephemerals({ user })
        .slice(before)
        .map(({ text }) => text),
  };
}
