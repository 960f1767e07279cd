import type { RespondFn } from '@slack/bolt';
import type { ActionResult, ClickContext } from '../../domain/ports/run-commands.ts';
import { actionResultText } from '../../presenter/texts.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { textAt } from '../read/fields.ts';
import { tellInThread } from '../tell-privately.ts';

/** A button or menu that was used in a message. */
export type Click = {
  context: ClickContext;
  threadTs: string | null;
  actionId: string;
  /** A button's value, or the chosen option's; empty when Slack sent none. */
  value: string;
  blockId: string;
  triggerId: string;
};

/** Reads a `block_actions` body; null for a click that was not in a message. */
export function readClick(body: unknown): Click | null {
  const actorId = textAt(body, 'user', 'id');
  const channelId = textAt(body, 'container', 'channel_id') ?? textAt(body, 'channel', 'id');
  if (actorId === null || channelId === null) return null;
  const messageTs = textAt(body, 'container', 'message_ts') ?? textAt(body, 'message', 'ts');
  return {
    context: { actorId, channelId, messageTs },
    threadTs: textAt(body, 'container', 'thread_ts') ?? textAt(body, 'message', 'thread_ts') ?? messageTs,
    actionId: textAt(body, 'actions', 0, 'action_id') ?? '',
    value: textAt(body, 'actions', 0, 'value') ?? textAt(body, 'actions', 0, 'selected_option', 'value') ?? '',
    blockId: textAt(body, 'actions', 0, 'block_id') ?? '',
    triggerId: textAt(body, 'trigger_id') ?? '',
  };
}

/** Tells the clicker what came of it, unless the thread itself shows it. */
export async function tellResult(
  deps: ListenerDeps,
  told: { click: Click; respond: RespondFn; result: ActionResult },
): Promise<void> {
  if (told.result.kind === 'accepted') return;
  await tellText(deps, { ...told, text: actionResultText(told.result) });
}

export async function tellText(
  deps: ListenerDeps,
  told: { click: Click; respond: RespondFn; text: string },
): Promise<void> {
  const { actorId, channelId } = told.click.context;
  await tellInThread(deps, {
    actorId,
    channelId,
    threadTs: told.click.threadTs,
    respond: told.respond,
    text: told.text,
  });
}
