import type { SectionBlock } from '@slack/types';
import type { Clarification } from '../../domain/pause.ts';
import { section, textSections } from '../blocks.ts';
import { LIMITS } from '../limits.ts';
import { isolate } from '../text/direction.ts';
import { cleanText, plainText } from '../text/escape.ts';

const NO_QUESTION = 'The planner asks for more information, but did not say what it needs. Tell it what may help.';
const UNREAD = {
  payment:
    'The planner asks for a payment whose terms could not be read. Nothing that is written or pressed here approves it.',
  card: 'The planner shows a card that could not be read. Below is all that is known of it; it can only be answered in words.',
} as const;
/** 120,000 characters: leaves room for the rest of a card, and for escapes and other scripts in a modal. */
const MAX_SECTIONS = 40;
/** Buttons up to here are easily counted; beyond, the options are listed with their numbers. */
const MAX_UNLISTED = 5;

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
  const asked = cleanText(request.question ?? '').trim();
  const question = asked === '' ? NO_QUESTION : asked;
  const options = offeredOptions(request);
  const isListed =
    options.length > MAX_UNLISTED || options.some(({ text }) => plainText(text).length > LIMITS.button.text);
  if (!isListed) return question;
  return `${question}\n\n${options.map(({ text, index }) => `${index + 1}. ${isolate(text)}`).join('\n')}`;
}

/** `questionText` as blocks, in full as far as a message can hold it, below what could not be read. */
export function questionSections(request: Clarification): SectionBlock[] {
  return [...unreadSections(request), ...textSections(questionText(request), MAX_SECTIONS)];
}

/** Plain words on what was really asked for and could not be read; null for a plain question. */
export function unreadText({ unread }: Clarification): string | null {
  return unread === null ? null : UNREAD[unread];
}

function unreadSections(request: Clarification): SectionBlock[] {
  const said = unreadText(request);
  return said === null ? [] : [section(`:warning: *${said}*`)];
}
