const CONTROL_TEXT = /<\s*\w+:payment_id:[^>]*>?/i;

/**
 * Whether a text holds `<stripe:payment_id:…:CONFIRM>` or its like, by which the vendor's own chat window confirms a
 * payment. A client must not pass on one that somebody else wrote.
 */
export function holdsControlText(text: string): boolean {
  return CONTROL_TEXT.test(text);
}

/** What stands before, between and after the control texts of a text. */
export function piecesBetweenControlTexts(text: string): string[] {
  return text
    .split(new RegExp(CONTROL_TEXT, 'gi'))
    .map((piece) => piece.trim())
    .filter(Boolean);
}
