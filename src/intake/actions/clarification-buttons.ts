import type { App } from '@slack/bolt';
import { isPauseOf } from '../../domain/pause.ts';
import type { ActionResult } from '../../domain/ports/run-commands.ts';
import { ACTION_IDS, OPTION_ACTION_PATTERN, parseOptionActionId } from '../../presenter/action-ids.ts';
import { clarificationModal } from '../../presenter/clarification/clarification-modal.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { type Click, readEntry } from './click.ts';
import { onDecision, onPress, type Press } from './on-press.ts';
import { type Opening, openModal } from './open-modal.ts';

async function chooseOption({ commands }: ListenerDeps, click: Click): Promise<ActionResult> {
  const option = readEntry(click, parseOptionActionId);
  if (option === null) return { kind: 'unknown' };
  return commands.chooseOption(option.pauseId, option.index, click.context);
}

async function readQuestion({ deps, click }: Press): Promise<Opening> {
  const opened = await deps.commands.openPause(click.value, click.context);
  if (opened.kind !== 'open') return opened;
  const { pause } = opened;
  if (!isPauseOf(pause, 'clarification')) return { kind: 'unknown' };
  const { channelId, messageTs } = click.context;
  return { kind: 'modal', view: clarificationModal({ pause, channelId, messageTs }) };
}

/** A clarification's card: its options, as buttons or as a menu, and "Answer…", which only opens the modal. */
export function listenToClarificationButtons(app: App, deps: ListenerDeps): void {
  for (const actionId of [OPTION_ACTION_PATTERN, ACTION_IDS.selectAnswer]) {
    app.action(
      actionId,
      onDecision(deps, (click) => chooseOption(deps, click)),
    );
  }
  app.action(
    ACTION_IDS.openAnswer,
    onPress(deps, async (press) => {
      await press.ack();
      await openModal(press, readQuestion(press));
    }),
  );
}
