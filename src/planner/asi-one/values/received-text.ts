import { readString } from './field-reader.ts';

/** Keys that reach an object's prototype instead of its own values in careless code downstream. */
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

export function isSafeKey(key: string): boolean {
  return !UNSAFE_KEYS.has(key);
}

/** Control characters but tab and line ends, and halves of surrogate pairs: neither shown by Slack nor stored as JSON. */
const UNUSABLE = /(?![\n\r\t])\p{Cc}|\p{Cs}/gu;

/** Text of others as it came, without characters that cannot be kept and at most `maxChars` long, `…` then included. */
export function boundedText(text: string, maxChars: number): string {
  const clean = text.slice(0, maxChars * 2).replace(UNUSABLE, '');
  if (clean.length <= maxChars && text.length <= maxChars * 2) return clean;
  return `${clean.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** One line of words or a number, as it was written; undefined when there is none. */
export function readWord(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return readString(value)?.trim();
}

/**
 * A word that must be exactly what was sent (an amount, a currency, an address): undefined when it is longer than
 * `maxChars` or holds characters that cannot be seen, because a shortened or cleaned one would be another word.
 */
export function readExactWord(value: unknown, maxChars: number): string | undefined {
  const word = readWord(value);
  return word === undefined || word.length > maxChars || /\p{C}/u.test(word) ? undefined : word;
}

/**
 * Stripe's secrets and keys, web tokens, bearer tokens and named secrets, wherever in a text they stand. Each pattern
 * can start only once per run of its own characters, so that a hostile text costs no more than a plain one.
 */
const SECRETS: readonly RegExp[] = [
  /\b\w+?_secret_\w+/gi,
  /\b(?:sk|rk|pk|whsec)_\w{6,}/g,
  /(?<![\w-])eyJ[\w-]+\.[\w.-]+/g,
  /\bBearer\s+[\w.~+/=-]{6,}/gi,
  /\b(?:client_?secret|api_?key|access_?token|private_?key|password)"?\s*[:=]\s*"?[^\s",}]+/gi,
];

/** The text with everything that looks like a secret taken out. */
export function dropSecrets(text: string): string {
  return SECRETS.reduce((clean, pattern) => clean.replace(pattern, '[removed]'), text);
}
