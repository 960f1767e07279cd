import { readText } from '../values/field-reader.ts';
import { boundedText, dropSecrets } from '../values/received-text.ts';

/** Text to be shown beside a payment: at most `maxChars`, without secrets; undefined when it says nothing. */
export function readClean(value: unknown, maxChars: number): string | undefined {
  const text = readText(value);
  if (text === undefined) return undefined;
  // Cut first, so that a huge text costs little; then again, since a secret's stand-in may be longer than the secret.
  const clean = boundedText(dropSecrets(text.slice(0, maxChars * 4)), maxChars);
  return clean.trim() === '' ? undefined : clean;
}
