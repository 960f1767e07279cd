import { isRecord, type JsonRecord, own } from '../json-record.ts';
import { createFieldReader, readOptions, readText } from './field-reader.ts';

/** A question found in metadata, with the options offered. */
export type Clarification = { question: string | null; options: string[] };

/** The question that a plan's or task's object holds, as a string or as `{question, options}`; null without any. */
export function readClarification(record: JsonRecord): Clarification | null {
  const read = createFieldReader(record);
  const found = read('question', (value) => (readText(value) === undefined ? undefined : { value }));
  const beside = read('options', readOptions);
  if (found === undefined && beside === undefined) return null;
  const inside = isRecord(found?.value) ? createFieldReader(found.value)('options', readOptions) : undefined;
  return { question: readText(found?.value) ?? null, options: inside ?? beside ?? [] };
}

/** The question of a plan that has just paused for one; there, `message` means the question too. */
export function readPausedClarification(metadata: JsonRecord): Clarification | null {
  const named = readClarification(metadata);
  if (named?.question) return named;
  const message = own(metadata, 'message');
  const question = readText(message);
  if (question === undefined) return named;
  const inside = isRecord(message) ? createFieldReader(message)('options', readOptions) : undefined;
  return { question, options: inside ?? named?.options ?? [] };
}
