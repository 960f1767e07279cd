import type { SandboxMessage } from '../../src/sandbox/slack/history.ts';
import type { SandboxSlack } from '../../src/sandbox/slack/sandbox-slack.ts';

export type Thread = { channel: string; ts: string };

/**
 * The bot's replies in a thread: status messages first, then the others, each as posted. A planner can be so quick, and
 * Slack so slow, that a card stands before the status message.
 */
export function botMessages(slack: SandboxSlack, { channel, ts }: Thread): SandboxMessage[] {
  const own = slack.thread(channel, ts).filter((it) => it.userId === slack.setup.bot.userId && it.ts !== ts);
  return [...own.filter(isStatus), ...own.filter((message) => !isStatus(message))];
}

/** What a message is, by its operation id, whatever it shows. */
export function isCard(message: SandboxMessage): boolean {
  return operationOf(message).startsWith('card-');
}

export function isStatus(message: SandboxMessage): boolean {
  return operationOf(message).startsWith('status-');
}

export function isReminder(message: SandboxMessage): boolean {
  return operationOf(message).startsWith('reminder-');
}

function operationOf(message: SandboxMessage): string {
  return String(message.metadata?.event_payload.operation_id ?? '');
}
