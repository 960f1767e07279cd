import { readsLikeApproval } from './approval-words.ts';

/** Brackets of control texts (`<stripe:…>`) in all their forms, and characters that are not seen. */
const BRACKETS = /[<>‹›〈〉⟨⟩❮❯❬❭＜＞]/gu;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/** Text of others as one line of at most `max` characters, without brackets that a control text needs. */
export function asWords(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').replace(UNSEEN, '').replace(BRACKETS, ' ').replace(/ +/g, ' ').trim();
  return line.length > max ? `${[...line].slice(0, max - 1).join('')}…` : line;
}

/** `asWords` between quotation marks that the text cannot close. */
export function asQuoted(text: string, max: number): string {
  return `"${asWords(text, max).replace(/["“”„]/g, "'")}"`;
}

/** One word, number or address: nothing that a sentence could go on with. */
const TOKEN = /^[\p{L}\p{N}$€£][\p{L}\p{N}.,:/_+@#%-]*$/u;
const LEFT_OUT = '(words that are left out here)';

/**
 * A word that an agent chose, to stand in a sentence that a person is taken to say: a plain word or number as it is,
 * anything longer quoted, and what reads like an approval not repeated at all.
 */
export function asToken(text: string, max: number): string {
  const words = asWords(text, max);
  if (readsLikeApproval(words.replace(/[^\p{L}\p{N}]+/gu, ' '))) return LEFT_OUT;
  return words === '' || TOKEN.test(words) ? words : asQuoted(words, max);
}
