import { PLANNER_LIMITS } from '../limits.ts';
import { createFieldReader, readOptions, readText } from '../values/field-reader.ts';
import { isRecord, type JsonRecord, own, parseJson } from '../values/json-record.ts';

/** A question found in metadata, with the options offered with it. */
export type FoundQuestion = { question: string | null; options: string[] };

/** A question may stand in an object in a list in an object; deeper, nobody would put one. */
const MAX_DEPTH = 4;

/**
 * The question that a plan's, phase's or task's object holds; null without any. It may be a string, an object with its
 * words and options, a list of these, or any of them as JSON text; its options may also stand beside it.
 */
export function readClarification(record: JsonRecord): FoundQuestion | null {
  return readHolder(record, MAX_DEPTH);
}

/** The question of a plan or task that has just paused for one; there, `message` means the question too. */
export function readPausedClarification(holder: JsonRecord): FoundQuestion | null {
  const named = readClarification(holder);
  if (named?.question) return named;
  const said = readQuestion(own(holder, 'message'), MAX_DEPTH);
  if (said === null) return named;
  return said.options.length > 0 ? said : { ...said, options: named?.options ?? [] };
}

/** An object that holds a question under one of its names, and perhaps options beside it. */
function readHolder(record: JsonRecord, depth: number): FoundQuestion | null {
  const read = createFieldReader(record);
  const found = read('question', (value) => readQuestion(value, depth) ?? undefined);
  const beside = read('options', readOptions);
  if (found === undefined && beside === undefined) return null;
  const options = found !== undefined && found.options.length > 0 ? found.options : (beside ?? []);
  return { question: found?.question ?? null, options };
}

function readQuestion(value: unknown, depth: number): FoundQuestion | null {
  if (depth === 0) return null;
  if (Array.isArray(value)) return readList(value, depth);
  if (isRecord(value)) return readAsked(value, depth);
  if (typeof value === 'string' && /^\s*[{[]/.test(value)) {
    const inside = readQuestion(parseJson(value), depth - 1);
    if (inside !== null) return inside;
  }
  const question = readText(value);
  return question === undefined ? null : { question, options: [] };
}

/** An object that is a question: its words may have a name that only says text. */
function readAsked(record: JsonRecord, depth: number): FoundQuestion | null {
  const held = readHolder(record, depth - 1);
  if (held?.question) return held;
  const question = readText(record);
  return question === undefined ? null : { question, options: held?.options ?? [] };
}

/** Several questions become one text; what each of them offers stands behind it, as no button could answer them all. */
function readList(items: readonly unknown[], depth: number): FoundQuestion | null {
  const asked = items.slice(0, PLANNER_LIMITS.listItems).flatMap((item) => readQuestion(item, depth - 1) ?? []);
  const [only] = asked;
  if (only === undefined || asked.length === 1) return only ?? null;
  const lines = asked.map(({ question, options }) =>
    options.length > 0 ? `${question} (${options.join(' / ')})` : question,
  );
  return { question: lines.join('\n'), options: [] };
}
