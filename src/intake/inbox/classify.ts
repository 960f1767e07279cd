import { createHash } from 'node:crypto';
import { assertNever } from '../../domain/assert-never.ts';
import type { InboxEntry } from '../../domain/ports/store.ts';
import { textAt } from '../read/fields.ts';
import { readMessage } from '../read/read-message.ts';

const COMMAND_FIELDS = ['trigger_id', 'team_id', 'channel_id', 'user_id', 'command', 'text', 'response_url'];

/**
 * Names one press of Enter on a slash command. Slack gives each a trigger id and a response_url of its own; the contents
 * count too, so that no two different commands are ever taken for one.
 */
export function commandKey(body: unknown): string {
  const parts = COMMAND_FIELDS.map((name) => textAt(body, name));
  return `cmd:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

/**
 * The row that a delivery needs in the inbox before it may be acknowledged, or null when there is nothing to keep:
 * events that are not ours, and button presses and modals, whose decision is stored by the listener before its ack.
 */
export function classify(body: unknown, knownBotUserId: string | null): InboxEntry | null {
  if (textAt(body, 'command') !== null) return { key: commandKey(body), kind: 'command', body };
  const reading = readMessage(body, knownBotUserId);
  switch (reading.kind) {
    case 'request':
      return { key: reading.deliveryKey, kind: 'message', body };
    case 'undecided':
      return { key: reading.undecidedKey, kind: 'message', body };
    case 'deletion':
      return { key: reading.deletionKey, kind: 'deletion', body };
    case 'ignored':
      return null;
    default:
      return assertNever(reading);
  }
}
