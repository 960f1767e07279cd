/** A JSON object whose fields are not known yet. */
export type Json = Record<string, unknown>;

/** Whether a value is a JSON object (no array, not null). */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A deep copy, so that what is stored cannot be changed from outside. */
export function copyJson<T>(value: T): T {
  return structuredClone(value);
}
