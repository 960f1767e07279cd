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
