import type { KnownBlock } from '@slack/types';
import type { Card } from '../../domain/card.ts';
import { selectOptionValue } from '../action-ids.ts';
import { actions, button, plain } from '../blocks.ts';
import { LIMITS } from '../limits.ts';
import { plainText } from '../text/escape.ts';
import { label } from '../text/label.ts';
import { CARD_ACTIONS, cardChoiceActionId } from './interaction-ids.ts';

const PER_ROW = 5;
const MAX_BUTTONS = 25;
const WORDS = 3_000;

/** A choice as people see it: `words` in full, `short` for a button or a menu, cut by Slack's limits only. */
export type ShownChoice = { index: number; words: string; short: string; isPrimary: boolean };

/** A choice's label in full, in one line; its number where it has none. */
export function choiceWords(card: Card, index: number): string {
  const choice = card.choices[index];
  return label(choice?.label ?? null, WORDS) ?? `Choice ${index + 1}`;
}

/** The choices in the card's order. Where their own labels do not tell them apart, buttons carry the list's numbers. */
export function shownChoices(card: Card): ShownChoice[] {
  const isNumbered = needNumbers(card);
  return card.choices.map((choice, index) => {
    const words = choiceWords(card, index);
    return { index, words, short: isNumbered ? `${index + 1}. ${words}` : words, isPrimary: choice.isPrimary };
  });
}

/**
 * Choices in full, numbered, where their buttons do not say it all: long or equal labels, details, a great many. All of
 * them for a card without buttons.
 */
export function choiceList(card: Card, form: 'where-needed' | 'all'): string {
  const isShown = form === 'all' || isListed(card);
  return isShown ? card.choices.map((_, index) => choiceLine(card, index)).join('\n') : '';
}

/** What a choice says beside its label, in full; null without any, and where the label says it already. */
export function choiceDetail(card: Card, index: number): string | null {
  const detail = label(card.choices[index]?.detail ?? null, WORDS);
  return detail !== null && choiceWords(card, index).includes(detail) ? null : detail;
}

function choiceLine(card: Card, index: number): string {
  const detail = choiceDetail(card, index);
  return `${index + 1}. ${choiceWords(card, index)}${detail === null ? '' : ` – ${detail}`}`;
}

function isListed(card: Card): boolean {
  return needNumbers(card) || card.choices.some((_, index) => choiceDetail(card, index) !== null);
}

function needNumbers(card: Card): boolean {
  const words = card.choices.map((_, index) => choiceWords(card, index));
  return (
    words.length > LIMITS.select.options ||
    new Set(words).size < words.length ||
    words.some((text) => plainText(text).length > LIMITS.button.text)
  );
}

/** Whether a choice needs the modal before it answers the card, because there is something to fill in. */
export function choiceOpensModal(card: Card): boolean {
  return card.fields.length > 0;
}

/** Whether the choices are too many for the message and stand in the modal only. */
export function hasTooManyChoices(card: Card): boolean {
  return card.choices.length > LIMITS.select.options;
}

/** Buttons in rows of five, or one menu for more than 25. */
export function choiceRows(card: Card, pauseId: string): KnownBlock[] {
  const choices = shownChoices(card);
  if (choices.length === 0 || hasTooManyChoices(card)) return [];
  if (choices.length > MAX_BUTTONS) return [actions([choiceMenu(choices, pauseId)])];
  const rows: KnownBlock[] = [];
  for (let from = 0; from < choices.length; from += PER_ROW) {
    rows.push(actions(choices.slice(from, from + PER_ROW).map((choice) => choiceButton(choice, pauseId))));
  }
  return rows;
}

function choiceButton({ index, short, isPrimary }: ShownChoice, pauseId: string): ReturnType<typeof button> {
  const style = isPrimary ? { style: 'primary' as const } : {};
  return button({ actionId: cardChoiceActionId(index), label: short, value: pauseId, ...style });
}

function choiceMenu(choices: readonly ShownChoice[], pauseId: string): Parameters<typeof actions>[0][number] {
  return {
    type: 'static_select',
    action_id: CARD_ACTIONS.select,
    placeholder: plain('Choose', LIMITS.select.placeholder),
    options: choices.map(({ index, short }) => ({
      text: plain(short, LIMITS.select.optionText),
      value: selectOptionValue(pauseId, index),
    })),
  };
}
