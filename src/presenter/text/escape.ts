import { isolate, missingEnds, pairedIsolates } from './direction.ts';

/** Breaks a mention in two without showing. Slack reads `@\u200Bhere` as plain words. */
export const ZERO_WIDTH_SPACE = '\u200B';

/** `@here` and its like, but not in an e-mail address (`me@here.com`) or the path of a URL (`x.io/@here`). */
export const BROADCAST_WORD = /(?<!\w[/=])@(?=(?:channel|here|everyone)(?![a-z0-9_]))(?<![\w.+-]@(?=[a-z]+\.\w))/giu;

/** Control characters but tab and newline, direction overrides and forced directions, and halves of surrogate pairs. */
const UNSEEN = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066\u2067]|\p{Cs}/gu;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** How far around a cut graphemes are looked at; a longer one is cut between code points. */
const GRAPHEME_WINDOW = 256;

/**
 * Drops what people cannot see and Slack may refuse; line ends become `\n`. Of the characters that change the direction
 * of what is around them only closed isolates stay, which cannot.
 */
export function cleanText(text: string): string {
  return pairedIsolates(text.replace(/\r\n?/g, '\n').replace(UNSEEN, ''));
}

/** Text of others for a plain field (`plain_text`, titles, button labels): shown as it is, and unable to ping. */
export function plainText(text: string): string {
  return cleanText(text)
    .replace(/<(?=[!@#])/g, `<${ZERO_WIDTH_SPACE}`)
    .replace(BROADCAST_WORD, `@${ZERO_WIDTH_SPACE}`);
}

/**
 * Text of others for a `mrkdwn` field: Slack's three control characters become entities, so that no mention, link or
 * date token can be formed, and `@channel`, `@here`, `@everyone` are broken in case a field is parsed in full.
 * Source: docs.slack.dev, "Formatting message text", escaping.
 */
export function escapeMrkdwn(text: string): string {
  return cleanText(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(BROADCAST_WORD, `@${ZERO_WIDTH_SPACE}`);
}

/** The largest index up to `limit` where `text` can be cut without splitting what people see as one character. */
export function graphemeBoundary(text: string, limit: number): number {
  if (limit >= text.length) return text.length;
  const from = Math.max(0, limit - GRAPHEME_WINDOW);
  const segment = GRAPHEMES.segment(text.slice(from, limit + GRAPHEME_WINDOW)).containing(limit - from);
  const boundary = from + (segment?.index ?? 0);
  if (boundary > from) return boundary;
  return isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * At most `max` UTF-16 units, with `…` in place of what was left out. Never splits a visible character, and closes the
 * isolates that it cuts.
 */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  for (let room = max - 1; room >= 0; ) {
    const kept = text.slice(0, graphemeBoundary(text, room));
    const cut = `${kept}…${missingEnds(kept)}`;
    if (cut.length <= max) return cut;
    room -= cut.length - max;
  }
  return '';
}

/**
 * `escapeMrkdwn` of as much of `text` as fits into `max` characters once escaped, to stand among our own words:
 * right-to-left lines are isolated.
 */
export function escapeWithin(text: string, max: number): string {
  let kept = truncate(text, max);
  let escaped = isolate(escapeMrkdwn(kept));
  while (escaped.length > max && kept.length > 1) {
    kept = truncate(text, Math.min(kept.length - 1, Math.floor((kept.length * max) / escaped.length)));
    escaped = isolate(escapeMrkdwn(kept));
  }
  return escaped;
}
