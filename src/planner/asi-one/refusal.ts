import type { FailureCode } from '../../domain/run.ts';
import { isRecord, type JsonRecord, own, parseJson } from './values/json-record.ts';

/** The failure that an HTTP status stands for. */
export function failureForStatus(status: number | undefined): FailureCode {
  if (status === 401 || status === 403) return 'planner_key_refused';
  if (status === 404) return 'planner_model_unknown';
  if (status === 429) return 'planner_rate_limited';
  if (status === 503) return 'planner_unavailable';
  return 'planner_error';
}

/** The HTTP status that an error body repeats, if it does. */
export function statusInBody(body: JsonRecord): number | undefined {
  const error = own(body, 'error');
  const holders = isRecord(error) ? [error, body] : [body];
  for (const holder of holders) {
    for (const key of ['status_code', 'status', 'code']) {
      const value = Number(own(holder, key));
      if (Number.isInteger(value) && value >= 400 && value < 600) return value;
    }
  }
  return undefined;
}

/**
 * What a refusal's body says, in any of the shapes met: `{error: {message}}`, `{error: "…"}`, `{detail: "…"}`,
 * `{detail: [{loc, msg}]}`, `{message}`, plain text, HTML, nothing.
 */
export function describeBody(text: string): string {
  const body = parseJson(text);
  if (isRecord(body)) return describeJson(body) ?? text;
  const words = text.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
  return words.replace(/\s+/g, ' ').trim();
}

/** The message of an error body, or null when it has none. */
export function describeJson(body: JsonRecord): string | null {
  const error = own(body, 'error');
  const inner = isRecord(error) ? ['message', 'detail', 'type', 'code'].map((key) => own(error, key)) : [error];
  const detail = own(body, 'detail');
  const list = Array.isArray(detail) ? detail.slice(0, 10).map(describeField).join('; ') : detail;
  const text = [...inner, list, own(body, 'message')].find((value) => typeof value === 'string' && value !== '');
  return typeof text === 'string' ? text : null;
}

function describeField(item: unknown): string {
  if (!isRecord(item)) return typeof item === 'string' ? item : 'unreadable';
  const where = own(item, 'loc');
  const place = Array.isArray(where) ? where.slice(0, 10).filter(isWord).join('.') : '';
  const message = own(item, 'msg');
  return `${place === '' ? '' : `${place}: `}${isWord(message) ? message : 'unreadable'}`;
}

function isWord(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
