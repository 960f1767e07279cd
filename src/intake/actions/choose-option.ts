import type { App } from '@slack/bolt';
import type { ActionResult } from '../../domain/ports/run-commands.ts';
import {
  ACTION_IDS,
  OPTION_ACTION_PATTERN,
  parseOptionActionId,
  parseSelectOptionValue,
} from '../../presenter/action-ids.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { type Click, readClick, tellResult } from './click.ts';

/** A button's value is the pause's id and its action id the index; a menu's chosen value holds both. */
function readOption(click: Click): { pauseId: string; optionIndex: number } | null {
  const optionIndex = parseOptionActionId(click.actionId);
  return optionIndex === null ? parseSelectOptionValue(click.value) : { pauseId: click.value, optionIndex };
}

async function choose(deps: ListenerDeps, click: Click): Promise<ActionResult> {
  const option = readOption(click);
  if (option === null) return { kind: 'unknown' };
  return deps.commands.chooseOption(option.pauseId, option.optionIndex, click.context);
}

/** The options offered on a clarification's card, as buttons or as a menu. */
export function listenToOptions(app: App, deps: ListenerDeps): void {
  for (const actionId of [OPTION_ACTION_PATTERN, ACTION_IDS.selectAnswer]) {
    app.action(actionId, async ({ ack, body, respond }) => {
      const click = readClick(body);
      if (click === null) return ack();
      const result = await choose(deps, click);
      // Acknowledged only now: a decision that was not stored shows Slack's warning sign instead.
      await ack();
      await tellResult(deps, { click, respond, result });
    });
  }
}
