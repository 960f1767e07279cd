import { PLANNER_LIMITS } from '../limits.ts';
import { ALIASES, type Concept } from './aliases.ts';
import { isRecord, type JsonRecord, own } from './json-record.ts';
import { isNoText } from './no-text.ts';

/** Reads one form of a value; undefined when the value has another. */
type Form<T> = (value: unknown) => T | undefined;

/**
 * Reads concepts from one object. A key that served one concept serves no other, so that `query` is not shown as a
 * task's title and as its message too.
 */
export function createFieldReader(record: JsonRecord): <T>(concept: Concept, form: Form<T>) => T | undefined {
  const taken = new Set<string>();
  return (concept, form) => {
    for (const key of ALIASES[concept]) {
      if (taken.has(key) || !Object.hasOwn(record, key)) continue;
      const value = form(record[key]);
      if (value === undefined) continue;
      taken.add(key);
      return value;
    }
    return undefined;
  };
}

/** A string that says something. */
export function readString(value: unknown): string | undefined {
  return typeof value === 'string' && !isNoText(value) ? value : undefined;
}

/** Text as a string, `{text}`, `{message}`, a chat message `{content: [{type: 'text', text}]}`, or a list of these. */
export function readText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return readTextItem(value);
  const items = value.slice(0, PLANNER_LIMITS.listItems).map(readTextItem);
  return readString(items.filter((item) => item !== undefined).join('\n'));
}

function readTextItem(value: unknown): string | undefined {
  if (!isRecord(value)) return readString(value);
  for (const key of ALIASES.text) {
    const inner = own(value, key);
    const text = readString(Array.isArray(inner) ? readParts(inner) : inner);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The text parts of a chat message's content, put together as they stand. */
export function readParts(parts: readonly unknown[]): string | undefined {
  const texts = parts.slice(0, PLANNER_LIMITS.listItems).map((part) => {
    const text = isRecord(part) ? own(part, 'text') : part;
    return typeof text === 'string' ? text : '';
  });
  const whole = texts.join('');
  return whole === '' ? undefined : whole;
}

/** One agent: its name if it has one, else its handle or address. */
export function readAgent(value: unknown): string | undefined {
  return readLabel(value, 'agentLabel', readString);
}

/** Agents as `[address]`, `[{address, name}]`, `{address: {name}}` or one agent alone. A mere count names nobody. */
export function readAgents(value: unknown): string[] | undefined {
  if (Array.isArray(value)) return labels(value.slice(0, PLANNER_LIMITS.listItems), readAgent);
  if (!isRecord(value)) return undefined;
  const single = readAgent(value);
  if (single !== undefined) return [single];
  const addresses = Object.keys(value).slice(0, PLANNER_LIMITS.listItems);
  const names = labels(addresses, (address) => readAgent(own(value, address)) ?? readString(address));
  return names.length === 0 ? undefined : names;
}

/** Options offered with a question: `["…"]`, `[2, 3]`, `[{label}]`, `{key: "…"}`, `{"0": {label}}` or `{"…": true}`. */
export function readOptions(value: unknown): string[] | undefined {
  if (Array.isArray(value)) return labels(value.slice(0, PLANNER_LIMITS.options), readOption);
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value).slice(0, PLANNER_LIMITS.options);
  const found = labels(keys, (key) => readLabel(own(value, key), 'optionLabel', readString) ?? readString(key));
  return found.length === 0 ? undefined : found;
}

function readOption(value: unknown): string | undefined {
  return readLabel(value, 'optionLabel', readWord);
}

/** A string that says something, or a number or truth value as the planner would write it. */
function readWord(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : readString(value);
}

function readLabel(value: unknown, concept: 'agentLabel' | 'optionLabel', form: Form<string>): string | undefined {
  return isRecord(value) ? createFieldReader(value)(concept, form) : form(value);
}

function labels<T>(items: readonly T[], read: (item: T) => string | undefined): string[] {
  return items.map(read).filter((label) => label !== undefined);
}
