import { isJson, type Json } from '../json.ts';

/** Where a check stands (a JSON pointer), and where it tells what is wrong. */
export type Spot = { pointer: string; problems: string[] };

/** A place below a spot. */
export function below(spot: Spot, ...path: (string | number)[]): Spot {
  return { ...spot, pointer: [spot.pointer, ...path].join('/') };
}

/** Writes a problem in the words of Slack's `response_metadata.messages`. */
export function report(spot: Spot, problem: string): void {
  spot.problems.push(`[ERROR] ${problem} [json-pointer:${spot.pointer}]`);
}

type StringRule = { max?: number; required?: boolean };

/** Checks a string field: present if required, not empty, not too long. */
export function checkString(value: unknown, spot: Spot, rule: StringRule = {}): void {
  if (value === undefined || value === null) {
    if (rule.required === true) report(spot, `missing required field: ${spot.pointer.split('/').at(-1)}`);
    return;
  }
  if (typeof value !== 'string') {
    report(spot, 'must be a string');
    return;
  }
  if (value.length === 0 && rule.required === true) report(spot, 'must be more than 0 characters');
  const { max } = rule;
  if (max !== undefined && value.length > max) report(spot, `must be less than ${max + 1} characters`);
}

/** Checks an address: absolute, for images http or https. */
export function checkUrl(value: unknown, spot: Spot, rule: StringRule & { isWeb?: boolean }): void {
  checkString(value, spot, rule);
  if (typeof value !== 'string') return;
  const isUrl = URL.canParse(value) && (rule.isWeb !== true || /^https?:/i.test(value));
  if (!isUrl) report(spot, 'must be a valid URL');
}

/** Checks that a value is one of a few words. */
export function checkWord(value: unknown, spot: Spot, words: readonly string[]): void {
  if (value !== undefined && !words.includes(String(value))) report(spot, `must be one of: ${words.join(', ')}`);
}

/** Checks that an object has no fields but the known ones: Slack refuses the others. */
export function checkKeys(value: Json, spot: Spot, known: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) report(spot, `invalid additional property: ${key}`);
  }
}

type ListRule = { min?: number; max: number };

/** The entries of a list field that are objects; problems with its length or entries are told. */
export function checkList(value: unknown, spot: Spot, rule: ListRule): Json[] {
  if (!Array.isArray(value)) {
    report(spot, 'must be an array');
    return [];
  }
  if (value.length < (rule.min ?? 1)) report(spot, `no fewer than ${rule.min ?? 1} items required`);
  if (value.length > rule.max) report(spot, `no more than ${rule.max} items allowed`);
  value.forEach((entry: unknown, index) => {
    if (!isJson(entry)) report(below(spot, index), 'must be an object');
  });
  return value.filter(isJson);
}

/** Tells of values that occur twice among ids that must be unique. */
export function checkUnique(ids: readonly unknown[], spot: Spot, name: string): void {
  const seen = new Set<unknown>();
  for (const id of ids) {
    if (id === undefined) continue;
    if (seen.has(id)) report(spot, `\`${name}\` "${String(id)}" already exists`);
    seen.add(id);
  }
}
