/**
 * PostgreSQL stores neither NUL nor half of a surrogate pair, and refuses a whole statement for one. Both come in with
 * hostile or cut text, and neither has a meaning worth keeping.
 */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Text that a text column takes: without NUL, halves of surrogate pairs replaced by U+FFFD. */
export function toText(text: string): string {
  return text.replaceAll('\0', '').replace(LONE_SURROGATE, '\uFFFD');
}

/** JSON text that a jsonb column takes. Values and keys are cleaned like `toText`, only where it is needed. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value ?? null);
  // JSON.stringify writes exactly the two unstorable kinds as \u escapes of this form, so most values end here.
  return UNSTORABLE.test(json) ? JSON.stringify(value, cleanEntry) : json;
}

function cleanEntry(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return toText(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [toText(key), entry]));
}
