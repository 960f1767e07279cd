import type { SectionBlock } from '@slack/types';
import type { AnswerableRequest } from '../domain/pause.ts';
import { textSections } from './blocks.ts';
import { LIMITS } from './limits.ts';
import { cleanText, plainText } from './text/escape.ts';

const NO_QUESTION = 'The planner asks for more information, but did not say what it needs. Tell it what may help.';
/** 120,000 characters: leaves room for the rest of a card, and for escapes and other scripts in a modal. */
const MAX_SECTIONS = 40;
/** Buttons up to here are easily counted; beyond, the options are listed with their numbers. */
const MAX_UNLISTED = 5;

/** An option that can be chosen: `index` is its place in the request, blank ones left out. */
export type OfferedOption = { text: string; index: number };

export function offeredOptions(request: AnswerableRequest): OfferedOption[] {
  return request.options.map((text, index) => ({ text, index })).filter(({ text }) => plainText(text).trim() !== '');
}

/**
 * The question in full as plain text, followed by the options in full, numbered, where their buttons do not say it
 * all: long ones, and many.
 */
export function questionText(request: AnswerableRequest): string {
  const asked = cleanText(request.question ?? '').trim();
  const question = asked === '' ? NO_QUESTION : asked;
  const options = offeredOptions(request);
  const isListed =
    options.length > MAX_UNLISTED || options.some(({ text }) => plainText(text).length > LIMITS.button.text);
  if (!isListed) return question;
  return `${question}\n\n${options.map(({ text, index }) => `${index + 1}. ${text}`).join('\n')}`;
}

/** `questionText` as blocks, in full as far as a message or modal can hold it. */
export function questionSections(request: AnswerableRequest): SectionBlock[] {
  return textSections(questionText(request), MAX_SECTIONS);
}
