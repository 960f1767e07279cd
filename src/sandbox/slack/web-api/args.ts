import { isJson, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';

/** A string argument; absent and empty ones are null. */
export function stringArg(args: Json, name: string): string | null {
  const value = args[name];
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : String(value);
}

/** A string argument that must be there. `error` is the word of the refusal. */
export function requiredArg(args: Json, name: string, error = 'invalid_arguments'): string {
  const value = stringArg(args, name);
  if (value !== null) return value;
  const messages = [`[ERROR] missing required field: ${name}`];
  throw new Refusal(error, { response_metadata: { messages } });
}

/** A boolean argument, from JSON or from a form. */
export function booleanArg(args: Json, name: string): boolean | null {
  const value = args[name];
  if (value === undefined || value === null || value === '') return null;
  return value === true || value === 'true' || value === '1';
}

/** A whole number argument with its default. */
export function numberArg(args: Json, name: string, fallback: number): number {
  const text = stringArg(args, name);
  if (text === null) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value)) throw new Refusal('invalid_arguments');
  return value;
}

/** A structured argument: JSON in a JSON body, JSON text in a form. undefined if absent. */
export function jsonArg(args: Json, name: string, error: string): unknown {
  const value = args[name];
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return parsed;
  } catch (cause) {
    throw new Refusal(error, { response_metadata: { messages: [`[ERROR] ${name}: ${String(cause)}`] } });
  }
}

/** A page of a list in Slack's cursor style: the items and the cursor of the next page, or ''. */
export function page<T>(items: readonly T[], args: Json, limits: { fallback: number; max: number }): [T[], string] {
  const limit = numberArg(args, 'limit', limits.fallback);
  if (limit < 1 || limit > limits.max) throw new Refusal('invalid_limit');
  const cursor = stringArg(args, 'cursor');
  const start = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64').toString());
  if (!Number.isInteger(start) || start < 0) throw new Refusal('invalid_cursor');
  const end = start + limit;
  return [items.slice(start, end), end < items.length ? Buffer.from(String(end)).toString('base64') : ''];
}

/** Message metadata of a post or an edit: undefined if absent, null if `{}` asks for its removal. */
export function metadataArg(args: Json): { event_type: string; event_payload: Json } | null | undefined {
  const value = jsonArg(args, 'metadata', 'invalid_metadata_format');
  if (value === undefined) return undefined;
  if (!isJson(value)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(value).length === 0) return null;
  const { event_type: type, event_payload: payload } = value;
  if (typeof type !== 'string' || !isJson(payload)) throw new Refusal('invalid_metadata_format');
  return { event_type: type, event_payload: payload };
}
