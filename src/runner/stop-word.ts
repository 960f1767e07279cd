/** Whether a message asks to stop: the word alone, in any case, with punctuation around it. */
export function isStopWord(text: string): boolean {
  return /^[\s\p{P}\p{S}]*stop[\s\p{P}\p{S}]*$/iu.test(text);
}
