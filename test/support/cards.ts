import type { JsonObject } from '../../src/sandbox/planner/json.ts';
import type { RecordedRequest } from '../../src/sandbox/planner/request-log.ts';
import type { Scenario, Step } from '../../src/sandbox/planner/scenario.ts';
import type { SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';
import type { SandboxView } from '../../src/sandbox/slack/views.ts';

const END: Step[] = [{ finish: 'stop' }, { done: true }];

/** The card protocol's metadata: all strings, as agents send it. */
export function flatCard(kind: string, payload: unknown, more: JsonObject = {}): JsonObject {
  return {
    card_protocol_version: '1',
    requires_card_interaction: 'true',
    card_kind: kind,
    card_payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    ...more,
  };
}

/** A script that shows a card, and quotes the answer when it has it. */
export function cardScript(card: unknown, { text = '', after }: { text?: string; after?: Step[] } = {}): Scenario {
  const task = { status: 'waiting_response', task: 'Ask', agent: 'Card Desk', card };
  const said: Step[] = text === '' ? [] : [{ text }];
  return {
    about: 'shows a card',
    legs: [
      [{ plan: { plan_status: 'card_interaction_requested', phases: { 0: { tasks: { 0: task } } } } }, ...said, ...END],
      ...(after ? [after] : []),
      [{ plan: { plan_status: 'completed' } }, { text: 'Heard: {{answer}}' }, ...END],
    ],
  };
}

/** The last message of a request, which on a resume is the answer. */
export function lastWords(request: RecordedRequest | undefined): string {
  const content = request?.messages.at(-1)?.content;
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** The selection that an answer holds, as agents read it; undefined where it holds none. */
export function selectionIn(words: string): unknown {
  const [, json] = /Selection: (\{.*\})$/s.exec(words) ?? [];
  return json === undefined ? undefined : JSON.parse(json);
}

/** The newest modal on somebody's screen, once it has more to it than a placeholder. */
export function openedView(slack: SandboxSlack, user: string): Promise<SandboxView> {
  return slack.waitFor(() =>
    slack.openViews(user).findLast(({ view }) => !JSON.stringify(view).includes('One moment')),
  );
}
