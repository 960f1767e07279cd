import type { KnownBlock } from '@slack/types';
import { assertNever } from '../../domain/assert-never.ts';
import type { Card } from '../../domain/card.ts';
import type { MessageContent } from '../../domain/ports/chat.ts';
import { actions, button, context, section } from '../blocks.ts';
import { LIMITS } from '../limits.ts';
import { escapeWithin } from '../text/escape.ts';
import { label } from '../text/label.ts';
import { untilText, utcTime } from '../text/time-text.ts';
import { mention } from '../text/words.ts';
import { cardBody, choiceListBlocks, drawnCard, noteBlocks } from './interaction-body.ts';
import { choiceRows, hasTooManyChoices } from './interaction-choices.ts';
import {
  cancelledInteraction,
  decidedInteraction,
  expiredInteraction,
  type InteractionEnd,
} from './interaction-end.ts';
import { CARD_ACTIONS } from './interaction-ids.ts';
import type { ImageStyle } from './interaction-items.ts';
import type { InteractionView } from './interaction-view.ts';

const TITLE_IN_TEXT = 500;
const FIELDS_NAMED = 10;
const FIELD_NAME = 75;

/**
 * Draws a card interaction as it stands (contract C16, C19, C21, C24): open with its choices, or what became of it
 * without them. What does not fit a message is said to be left out, and "Show all…" opens all of it.
 */
export function interactionCard(view: InteractionView): MessageContent {
  switch (view.pause.state) {
    case 'open':
      return openCard(view);
    case 'decided':
      return closedCard(view, decidedInteraction(view));
    case 'expired':
      return closedCard(view, expiredInteraction(view));
    case 'cancelled':
      return closedCard(view, cancelledInteraction(view));
    default:
      return assertNever(view.pause.state);
  }
}

function openCard(view: InteractionView): MessageContent {
  const { pause, run } = view;
  const { card } = pause.request;
  const title = label(card.title, TITLE_IN_TEXT);
  const subject = title === null ? '' : `: ${escapeWithin(title, TITLE_IN_TEXT * 2)}`;
  const text = `A card for ${mention(run.requesterId)}, open until ${utcTime(pause.deadlineAt)}${subject}`;
  return drawnCard({ card, text, draw: (images) => openBlocks(view, images) });
}

function openBlocks(view: InteractionView, images: ImageStyle): KnownBlock[] {
  const { pause, run } = view;
  const { card } = pause.request;
  const head = openHead(view);
  const list = choiceListBlocks(card, 'where-needed');
  const notes = noteBlocks(card);
  const below = [...list.kept, ...notes.kept, ...fieldNames(card), ...choiceRows(card, pause.id)];
  // Three more for the note on what is left out, the row of buttons and the last line.
  const items = cardBody(card, { images, others: [...head, ...below], reserved: 3 });
  const isCut = items.isCut || list.isCut || notes.isCut;
  return [
    ...head,
    ...items.kept,
    ...below,
    ...(isCut ? [context(`_The card goes on. Press *${fillLabel(card, isCut)}* to see all of it._`)] : []),
    actions(controls({ card, pauseId: pause.id, isCut })),
    context(`Only ${mention(run.requesterId)} can answer.`),
  ];
}

function openHead({ pause, run }: InteractionView): KnownBlock[] {
  return [section(`*A card for ${mention(run.requesterId)}*\nThe run waits for the answer ${untilText(pause)}.`)];
}

/** Which fields the modal will ask for. */
function fieldNames({ fields }: Card): KnownBlock[] {
  if (fields.length === 0) return [];
  const named = fields.slice(0, FIELDS_NAMED).map((field, index) => {
    const name = label(field.label, FIELD_NAME) ?? label(field.name, FIELD_NAME) ?? `Field ${index + 1}`;
    return field.isRequired ? `${name} (required)` : name;
  });
  const more = fields.length > FIELDS_NAMED ? ` and ${fields.length - FIELDS_NAMED} more` : '';
  return [context(`To fill in: ${escapeWithin(named.join(', '), LIMITS.context.text - 50)}${more}`)];
}

function controls(input: { card: Card; pauseId: string; isCut: boolean }): Parameters<typeof actions>[0] {
  const { card, pauseId: value, isCut } = input;
  const fill = fillLabel(card, isCut);
  return [
    ...(fill === null ? [] : [button({ actionId: CARD_ACTIONS.fill, label: fill, value, style: 'primary' })]),
    button({ actionId: CARD_ACTIONS.words, label: 'Answer in words…', value }),
    button({ actionId: CARD_ACTIONS.cancel, label: 'Cancel', value }),
  ];
}

/** What the button that opens the modal says; null when everything is on the message itself. */
function fillLabel(card: Card, isCut: boolean): string | null {
  if (card.fields.length > 0) return 'Fill in…';
  if (hasTooManyChoices(card)) return 'Choose…';
  return isCut ? 'Show all…' : null;
}

function closedCard(view: InteractionView, end: InteractionEnd): MessageContent {
  const { card } = view.pause.request;
  const others = [...end.head, ...end.tail];
  const draw = (images: ImageStyle): KnownBlock[] => {
    const items = cardBody(card, { images, others, reserved: 1 });
    const cut = items.isCut ? [context('_The rest of the card is left out here._')] : [];
    return [...items.kept, ...cut, ...others];
  };
  return drawnCard({ card, text: end.text, draw });
}
