import type { SectionBlock } from '@slack/types';
import type { Clarification } from '../../domain/pause.ts';
import { section, textSections } from '../blocks.ts';
import { LIMITS } from '../limits.ts';
import { isolate } from '../text/direction.ts';
import { cleanText, plainText } from '../text/escape.ts';
import { label } from '../text/label.ts';

const NO_QUESTION = {
  none: 'The planner asks for more information, but did not say what it needs. Tell it what may help.',
  payment: 'It said nothing else. Tell it how to go on.',
  card: 'Nothing is known of it. Tell the planner what may help.',
} as const;
const UNREAD = {
  payment:
    'The planner asks for a payment whose terms could not be read. Nothing that is written or pressed here approves it.',
  card: 'The planner shows a card that could not be read. It can only be answered in words.',
} as const;
/** 120,000 characters: leaves room for the rest of a card, and for escapes and other scripts in a modal. */
const MAX_SECTIONS = 40;
/** Buttons up to here are easily counted; beyond, the options are listed with their numbers. */
const MAX_UNLISTED = 5;
const MAX_SPOKEN = 5;
const SPOKEN_OPTION = 60;

/** An option that can be chosen: `index` is its place in the request, blank ones left out. */
export type OfferedOption = { text: string; index: number };

export function offeredOptions(request: Clarification): OfferedOption[] {
  return request.options.map((text, index) => ({ text, index })).filter(({ text }) => plainText(text).trim() !== '');
}

/**
 * The question in full as plain text, followed by the options in full, numbered, where their buttons do not say it
 * all: long ones, and many.
 */
export function questionText(request: Clarification): string {
  const question = askedText(request);
  const options = offeredOptions(request);
  const isListed =
    options.length > MAX_UNLISTED || options.some(({ text }) => plainText(text).length > LIMITS.button.text);
  if (!isListed) return question;
  return `${question}\n\n${options.map(({ text, index }) => `${index + 1}. ${isolate(text)}`).join('\n')}`;
}

function askedText({ question, unread }: Clarification): string {
  const asked = cleanText(question ?? '').trim();
  return asked === '' ? NO_QUESTION[unread ?? 'none'] : asked;
}

/** What a notification or a screen reader says: the question, and a few options or how many there are. Plain text. */
export function spokenQuestion(request: Clarification): string {
  const options = offeredOptions(request).map(({ text }) => label(text, SPOKEN_OPTION) ?? text);
  const offered = options.length > MAX_SPOKEN ? `${options.length} options to choose from` : options.join(' / ');
  return [unreadText(request), askedText(request), offered && `(${offered})`].filter(Boolean).join(' ');
}

/** `questionText` as blocks, in full as far as a message can hold it, below what could not be read. */
export function questionSections(request: Clarification): SectionBlock[] {
  return [...unreadSections(request), ...textSections(questionText(request), MAX_SECTIONS)];
}

/** Plain words on what was really asked for and could not be read; null for a plain question. */
function unreadText({ unread }: Clarification): string | null {
  return unread === null ? null : UNREAD[unread];
}

function unreadSections(request: Clarification): SectionBlock[] {
  const said = unreadText(request);
  return said === null ? [] : [section(`:warning: *${said}*`)];
}
