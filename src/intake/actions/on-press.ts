import type { RespondFn } from '@slack/bolt';
import type { ActionResult } from '../../domain/ports/run-commands.ts';
import { actionResultText, notDeliveredText } from '../../presenter/texts.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { tellByResponseUrl, tellInThread } from '../tell-privately.ts';
import { type Click, readClick } from './click.ts';

/** A click with what it takes to answer it. */
export type Press = { deps: ListenerDeps; click: Click; respond: RespondFn; ack: () => Promise<void> };

type ActionArgs = { ack: () => Promise<void>; body: unknown; respond: RespondFn };

/**
 * A listener to buttons and menus, whose every click has a visible answer: what `handle` tells, or that nothing could be
 * stored. That failure goes on to Bolt, which leaves an unacknowledged click with Slack's own warning sign, and is
 * logged there.
 */
export function onPress(
  deps: ListenerDeps,
  handle: (press: Press) => Promise<void>,
): (args: ActionArgs) => Promise<void> {
  return async ({ ack, body, respond }) => {
    const click = readClick(body);
    if (click === null) {
      await ack();
      return tellByResponseUrl(deps, { respond, text: actionResultText({ kind: 'unknown' }) });
    }
    const press = { deps, click, respond, ack: () => ack() };
    try {
      await handle(press);
    } catch (error) {
      await tellText(press, notDeliveredText());
      throw error;
    }
  };
}

/**
 * A listener to what decides without a modal. It acknowledges only once the decision is stored: one that was not shows
 * Slack's warning sign.
 */
export function onDecision(
  deps: ListenerDeps,
  decide: (click: Click) => Promise<ActionResult>,
): (args: ActionArgs) => Promise<void> {
  return onPress(deps, async (press) => {
    const result = await decide(press.click);
    await press.ack();
    await tellResult(press, result);
  });
}

/** Tells the clicker what came of it, unless the thread itself shows it. */
export async function tellResult(press: Press, result: ActionResult): Promise<void> {
  if (result.kind === 'accepted') return;
  await tellText(press, actionResultText(result));
}

export async function tellText({ deps, click, respond }: Press, text: string): Promise<void> {
  const { actorId, channelId } = click.context;
  await tellInThread(deps, { actorId, channelId, threadTs: click.threadTs, respond, text });
}
