import type { KnownBlock } from '@slack/types';
import { assertNever } from '../../domain/assert-never.ts';
import type { Card } from '../../domain/card.ts';
import type { MessageContent } from '../../domain/ports/chat.ts';
import { actions, button, context, section, textSections, weightedBytes } from '../blocks.ts';
import { escapeMrkdwn, escapeWithin } from '../text/escape.ts';
import { fitBlocks } from '../fit-blocks.ts';
import { choiceList, choiceRows, hasTooManyChoices } from './interaction-choices.ts';
import {
  cancelledInteraction,
  decidedInteraction,
  expiredInteraction,
  type InteractionEnd,
} from './interaction-end.ts';
import { CARD_ACTIONS } from './interaction-ids.ts';
import { headingBlocks, type ImageStyle, itemBlocks } from './interaction-items.ts';
import type { InteractionView } from './interaction-view.ts';
import { label } from '../text/label.ts';
import { LIMITS } from '../limits.ts';
import { mention } from '../text/words.ts';
import { splitText } from '../text/split-text.ts';
import { durationText, slackTime, utcTime } from '../text/time-text.ts';

/** Ours: Slack refuses what is too large (`msg_blocks_too_long`) and documents no number. */
const MESSAGE_BYTES = 48_000;
const LIST_ROOM = { blocks: 15, bytes: 20_000 };
const NOTES_ROOM = { blocks: 3, bytes: 6_000 };
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
  const { card, pause, run } = view;
  const title = label(card.title, TITLE_IN_TEXT);
  const subject = title === null ? '' : `: ${escapeWithin(title, TITLE_IN_TEXT * 2)}`;
  const content: MessageContent = {
    text: `A card for ${mention(run.requesterId)}, open until ${utcTime(pause.deadlineAt)}${subject}`,
    blocks: openBlocks(view, 'drawn'),
  };
  return hasImages(card) ? { ...content, fallbackBlocks: openBlocks(view, 'named') } : content;
}

function openBlocks(view: InteractionView, images: ImageStyle): KnownBlock[] {
  const { card, pause } = view;
  const head = openHead(view);
  const list = fitBlocks(textSections(choiceList(card), LIMITS.message.blocks), LIST_ROOM);
  const notes = fitBlocks(noteBlocks(card), NOTES_ROOM);
  const below = [...list.kept, ...notes.kept, ...fieldNames(card), ...choiceRows(card, pause.id)];
  // Two more for the note on what is left out and the row of buttons, which depend on what fits.
  const items = fitBlocks(bodyBlocks(card, images), roomBeside([...head, ...below], 3));
  const isCut = items.isCut || list.isCut || notes.isCut;
  return [
    ...head,
    ...items.kept,
    ...below,
    ...(isCut ? [context(`_The card goes on. Press *${fillLabel(card, isCut)}* to see all of it._`)] : []),
    actions(controls({ card, pauseId: pause.id, isCut })),
    context(`Only ${mention(view.run.requesterId)} can answer.`),
  ];
}

function openHead({ pause, run, now }: InteractionView): KnownBlock[] {
  const left = durationText(pause.deadlineAt.getTime() - now.getTime());
  const until = `until ${slackTime(pause.deadlineAt)} (${left} left)`;
  return [section(`*A card for ${mention(run.requesterId)}*\nThe run waits for the answer ${until}.`)];
}

function bodyBlocks(card: Card, images: ImageStyle): KnownBlock[] {
  return [...headingBlocks(card.title ?? ''), ...itemBlocks(card.items, images)];
}

function roomBeside(others: readonly KnownBlock[], reserved: number): { blocks: number; bytes: number } {
  return {
    blocks: LIMITS.message.blocks - others.length - reserved,
    bytes: MESSAGE_BYTES - weightedBytes(others),
  };
}

/** What could not be understood, in small print. */
function noteBlocks(card: Card): KnownBlock[] {
  const lines = card.notUnderstood.map((line) => label(line, FIELD_NAME * 4)).filter((line) => line !== null);
  if (lines.length === 0) return [];
  const text = `Not understood:\n${lines.map((line) => `• ${line}`).join('\n')}`;
  return splitText(text, LIMITS.context.text).map((piece) => context(escapeMrkdwn(piece)));
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
  const draw = (images: ImageStyle): KnownBlock[] => {
    const others = [...end.head, ...end.tail];
    const items = fitBlocks(bodyBlocks(view.card, images), roomBeside(others, 1));
    const cut = items.isCut ? [context('_The rest of the card is left out here._')] : [];
    return [...items.kept, ...cut, ...others];
  };
  const content: MessageContent = { text: end.text, blocks: draw('drawn') };
  return hasImages(view.card) ? { ...content, fallbackBlocks: draw('named') } : content;
}

function hasImages(card: Card): boolean {
  return card.items.some(({ type }) => type === 'image');
}
