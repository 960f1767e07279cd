import type { App } from '@slack/bolt';
import { isPauseOf, type PauseOf } from '../../domain/pause.ts';
import type { ActionResult } from '../../domain/ports/run-commands.ts';
import { choiceOpensModal } from '../../presenter/interaction/interaction-choices.ts';
import {
  CARD_ACTIONS,
  CARD_CHOICE_PATTERN,
  parseCardChoiceActionId,
} from '../../presenter/interaction/interaction-ids.ts';
import { interactionModal, wordsModal } from '../../presenter/interaction/interaction-modal.ts';
import type { ListenerDeps } from '../listener-deps.ts';
import { metadataOf } from '../metadata-of.ts';
import { type Click, readEntry } from './click.ts';
import { onDecision, onPress, type Press } from './on-press.ts';
import { type Asked, type Opening, openModal } from './open-modal.ts';

type OpenCard = { kind: 'open'; pause: PauseOf<'card'> };

async function readCard({ deps, click }: Press, pauseId: string): Promise<OpenCard | ActionResult> {
  const opened = await deps.commands.openPause(pauseId, click.context);
  if (opened.kind !== 'open') return opened;
  const { pause } = opened;
  return isPauseOf(pause, 'card') ? { kind: 'open', pause } : { kind: 'unknown' };
}

async function readForm(press: Press): Promise<Opening> {
  const opened = await readCard(press, press.click.value);
  if (opened.kind !== 'open') return opened;
  return { kind: 'modal', view: formOf(opened.pause, press.click, null) };
}

async function readWordsModal(press: Press): Promise<Opening> {
  const opened = await readCard(press, press.click.value);
  if (opened.kind !== 'open') return opened;
  const { pause } = opened;
  const view = wordsModal({ ...metadataOf(pause, press.click.context), card: pause.request.card });
  return { kind: 'modal', view };
}

function formOf(pause: PauseOf<'card'>, { context }: Click, choiceIndex: number | null) {
  return interactionModal({ ...metadataOf(pause, context), card: pause.request.card, choiceIndex });
}

/** A choice answers the card at once, unless there is something to fill in beside it. */
async function readChosen(press: Press): Promise<Asked> {
  const { deps, click } = press;
  const choice = readEntry(click, parseCardChoiceActionId);
  if (choice === null) return { kind: 'unknown' };
  const { pauseId, index: choiceIndex } = choice;
  const opened = await readCard(press, pauseId);
  if (opened.kind !== 'open') return opened;
  const { card } = opened.pause.request;
  if (choiceIndex >= card.choices.length) return { kind: 'unknown' };
  if (choiceOpensModal(card)) return { kind: 'modal', view: formOf(opened.pause, click, choiceIndex) };
  return { kind: 'decide', decide: () => deps.commands.chooseOnCard(pauseId, choiceIndex, click.context) };
}

/** Acknowledged only when it is known what came of it: a choice that was not stored shows Slack's warning sign. */
async function chooseThenAck(press: Press): Promise<Asked> {
  const asked = await readChosen(press);
  if (asked.kind !== 'decide') {
    await press.ack();
    return asked;
  }
  const decide = async (): Promise<ActionResult> => {
    const result = await asked.decide();
    await press.ack();
    return result;
  };
  return { kind: 'decide', decide };
}

/** A card interaction's message: its choices, the modal with all of it, words instead, and "Cancel" (contract C19). */
export function listenToCardButtons(app: App, deps: ListenerDeps): void {
  for (const actionId of [CARD_CHOICE_PATTERN, CARD_ACTIONS.select]) {
    app.action(
      actionId,
      onPress(deps, (press) => openModal(press, chooseThenAck(press))),
    );
  }
  for (const [actionId, read] of [
    [CARD_ACTIONS.fill, readForm],
    [CARD_ACTIONS.words, readWordsModal],
  ] as const) {
    app.action(
      actionId,
      onPress(deps, async (press) => {
        await press.ack();
        await openModal(press, read(press));
      }),
    );
  }
  app.action(
    CARD_ACTIONS.cancel,
    onDecision(deps, (click) => deps.commands.cancelCard(click.value, click.context)),
  );
}
