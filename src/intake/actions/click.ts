import type { ClickContext } from '../../domain/ports/run-commands.ts';
import { parseSelectOptionValue } from '../../presenter/action-ids.ts';
import { textAt } from '../read/fields.ts';

/** A button or menu that was used in a message. */
export type Click = {
  context: ClickContext;
  threadTs: string | null;
  actionId: string;
  /** A button's value, or the chosen option's; empty when Slack sent none. */
  value: string;
  triggerId: string;
};

/** The `action_id` of what was used in a `block_actions` body; empty when it names none. */
export function actionIdOf(body: unknown): string {
  return textAt(body, 'actions', 0, 'action_id') ?? '';
}

/** Reads a `block_actions` body; null for a click that was not in a message. */
export function readClick(body: unknown): Click | null {
  // The person's own id, whichever workspace they are of: a shared channel's members keep theirs.
  const actorId = textAt(body, 'user', 'id');
  const channelId = textAt(body, 'container', 'channel_id') ?? textAt(body, 'channel', 'id');
  if (actorId === null || channelId === null) return null;
  const messageTs = textAt(body, 'container', 'message_ts') ?? textAt(body, 'message', 'ts');
  return {
    context: { actorId, channelId, messageTs },
    threadTs: textAt(body, 'container', 'thread_ts') ?? textAt(body, 'message', 'thread_ts') ?? messageTs,
    actionId: actionIdOf(body),
    value: textAt(body, 'actions', 0, 'value') ?? textAt(body, 'actions', 0, 'selected_option', 'value') ?? '',
    triggerId: textAt(body, 'trigger_id') ?? '',
  };
}

/**
 * Which of a card's entries was used; null when it is none. A button's value is the pause's id and `indexOf` reads its
 * action id; a menu's chosen value holds both.
 */
export function readEntry(
  { actionId, value }: Click,
  indexOf: (actionId: string) => number | null,
): { pauseId: string; index: number } | null {
  const index = indexOf(actionId);
  if (index !== null) return { pauseId: value, index };
  const chosen = parseSelectOptionValue(value);
  return chosen && { pauseId: chosen.pauseId, index: chosen.optionIndex };
}
