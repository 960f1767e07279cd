import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import type { Card } from '../../domain/card.ts';
import { plain, section, weightedBytes } from '../blocks.ts';
import { chooser, MAX_ENTRIES } from '../chooser.ts';
import { fitBlocks } from '../fit-blocks.ts';
import { LIMITS } from '../limits.ts';
import { type ModalMetadata, readingModal, readModalMetadata, submitModal } from '../modals.ts';
import { escapeMrkdwn, escapeWithin } from '../text/escape.ts';
import { meaningfulText } from '../text/label.ts';
import { splitText } from '../text/split-text.ts';
import { countOf } from '../text/words.ts';
import { typedText } from '../view-state.ts';
import { choiceDetail, choiceList, choiceWords, shownChoices } from './interaction-choices.ts';
import { fieldInput, modalFields, optionList } from './interaction-fields.ts';
import { CARD_MODAL, CARD_WORDS_MODAL } from './interaction-ids.ts';
import { itemsText } from './interaction-items.ts';

const TITLE = 'Answer the card';
const NOTHING_TO_READ = 'The planner shows a card without any text.';
const CUT = '_The card goes on for longer than a Slack window can hold._';
const TOO_LARGE =
  '*This form asks for more than a Slack window can hold.* Close this window and use *Answer in words…* instead.';

/** `choiceIndex` is the choice whose button was pressed, or null to choose in the modal. */
export type InteractionMetadata = ModalMetadata & { choiceIndex: number | null };

/**
 * The modal with everything on a card: what is to be read, the choices unless one was made already, an input per field.
 * A card with nothing to choose or fill in opens to be read only.
 */
export function interactionModal({ card, ...opened }: InteractionMetadata & { card: Card }): ModalView {
  const choiceIndex = opened.choiceIndex ?? (card.choices.length === 1 ? 0 : null);
  const { shown, omitted } = modalFields(card);
  if (omitted.some(({ field }) => field.isRequired)) {
    return readingModal({ title: TITLE, blocks: [section(TOO_LARGE), ...readingBlocks(card, [])] });
  }
  const isOpen = choiceIndex === null && card.choices.length > 0;
  const inputs = [...(isOpen ? [choiceInput(card)] : []), ...shown.map(fieldInput)];
  const notes = [...chosenNote(card, choiceIndex), ...omittedNote(omitted.length)];
  const blocks = [...readingBlocks(card, [...notes, ...inputs]), ...notes, ...inputs];
  if (inputs.length === 0 && choiceIndex === null) return readingModal({ title: TITLE, blocks });
  const submit = choiceIndex === null ? 'Send' : submitLabel(choiceWords(card, choiceIndex));
  const metadata: InteractionMetadata = { ...opened, choiceIndex };
  return submitModal({ callbackId: CARD_MODAL.callbackId, title: TITLE, submit, metadata, blocks });
}

function submitLabel(words: string): string {
  return words.length <= LIMITS.modal.button ? words : 'Send';
}

/** Names the choice that was made before the modal opened. */
function chosenNote(card: Card, choiceIndex: number | null): KnownBlock[] {
  if (choiceIndex === null || card.choices.length < 2) return [];
  return [section(`*Your choice:* ${escapeWithin(choiceWords(card, choiceIndex), LIMITS.section - 100)}`)];
}

function omittedNote(count: number): KnownBlock[] {
  if (count === 0) return [];
  const what = `_${countOf(count, 'optional field')} ${count === 1 ? 'is' : 'are'} left out here, because the form is longer than a Slack window. *Answer in words…* can name them._`;
  return [section(what)];
}

function choiceInput(card: Card): InputBlock {
  const entries = shownChoices(card).map(({ short, index }) => ({
    text: short,
    detail: choiceDetail(card, index),
  }));
  return {
    type: 'input',
    block_id: CARD_MODAL.choiceBlockId,
    label: plain('Your choice', LIMITS.input.label),
    element: chooser({ actionId: CARD_MODAL.inputId, entries, isMulti: false, isRequired: true }),
  };
}

/** All that is to be read on a card, as far as it fits beside `others`. */
function readingBlocks(card: Card, others: readonly KnownBlock[]): KnownBlock[] {
  const sections = splitText(readingText(card), LIMITS.section).map((piece) => section(escapeMrkdwn(piece)));
  const room = {
    blocks: LIMITS.modal.blocks - others.length - 2,
    bytes: LIMITS.modal.contentBytes - weightedBytes(others),
  };
  const { kept, isCut } = fitBlocks(sections, room);
  if (kept.length === 0 && !isCut) return [section(NOTHING_TO_READ)];
  return isCut ? [...kept, section(CUT)] : kept;
}

function readingText(card: Card): string {
  const choices = choiceList(card, 'where-needed');
  const tooMany = card.choices.length > MAX_ENTRIES ? `Only the first ${MAX_ENTRIES} can be chosen here.` : '';
  const parts = [
    meaningfulText(card.title ?? ''),
    itemsText(card.items),
    choices === '' ? '' : `Choices:\n${choices}\n${tooMany}`,
    ...card.fields.map((field, index) => optionList({ field, index })),
    card.notUnderstood.length === 0 ? '' : `Not understood:\n${card.notUnderstood.join('\n')}`,
  ];
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n\n');
}

/** Reads `interactionModal`'s `private_metadata` back; null when it is not ours. */
export function readInteractionMetadata(text: string): InteractionMetadata | null {
  const metadata = readModalMetadata(text);
  if (metadata === null) return null;
  const value: unknown = JSON.parse(text);
  const index = typeof value === 'object' && value !== null && 'choiceIndex' in value ? value.choiceIndex : null;
  return {
    ...metadata,
    choiceIndex: typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : null,
  };
}

/** The modal that answers a card in words: always possible, whatever the card holds. */
export function wordsModal({ card, ...metadata }: ModalMetadata & { card: Card }): ModalView {
  const input: InputBlock = {
    type: 'input',
    block_id: CARD_WORDS_MODAL.blockId,
    label: plain('Your answer', LIMITS.input.label),
    element: {
      type: 'plain_text_input',
      action_id: CARD_WORDS_MODAL.inputId,
      multiline: true,
      max_length: LIMITS.input.value,
    },
  };
  return submitModal({
    callbackId: CARD_WORDS_MODAL.callbackId,
    title: 'Answer in words',
    submit: 'Send answer',
    metadata,
    blocks: [...readingBlocks(card, [input]), input],
  });
}

/** The text typed into `wordsModal`, from its `view.state`; null without any. */
export function readWords(state: unknown): string | null {
  const text = typedText(state, { blockId: CARD_WORDS_MODAL.blockId, inputId: CARD_WORDS_MODAL.inputId });
  return text === '' ? null : text;
}
