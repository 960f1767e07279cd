/** `action_id`s of a card interaction. Buttons carry the pause's id; a menu's entry carries the index beside it. */
export const CARD_ACTIONS = {
  /** The menu that takes the place of choice buttons where there are many; read with `parseSelectOptionValue`. */
  select: 'card_select',
  /** Opens the modal with everything on the card: its text, choices and fields. */
  fill: 'card_fill',
  words: 'card_words',
  cancel: 'card_cancel',
} as const;

/** Matches the `action_id` of every choice button. */
export const CARD_CHOICE_PATTERN = /^card_choice_(\d{1,5})$/;

/** The `action_id` of the button for the choice at `index`, from 0. */
export function cardChoiceActionId(index: number): string {
  return `card_choice_${index}`;
}

/** The choice index of a choice button's `action_id`, or null when it is another action. */
export function parseCardChoiceActionId(actionId: string): number | null {
  const match = CARD_CHOICE_PATTERN.exec(actionId);
  return match ? Number(match[1]) : null;
}

/** Ids of the modal that fills in a card. */
export const CARD_MODAL = {
  callbackId: 'card_modal',
  choiceBlockId: 'card_choice',
  /** The one input of every block of this modal. */
  inputId: 'card_input',
} as const;

/** The `block_id` of the field at `index` of the card. */
export function cardFieldBlockId(index: number): string {
  return `card_field_${index}`;
}

/** Ids of the modal that answers a card in words. */
export const CARD_WORDS_MODAL = {
  callbackId: 'card_words_modal',
  blockId: 'card_words_block',
  inputId: 'card_words_input',
} as const;
