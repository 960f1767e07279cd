export type JsonObject = Record<string, unknown>;

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Replaces every `{{name}}` in all strings of a JSON value (keys too) by `values.name`; unknown names stay as they are. */
export function fillTemplate<T>(value: T, values: Readonly<Record<string, string>>): T {
  const text = JSON.stringify(value);
  if (!text.includes('{{')) return value;
  const filled = text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const found = Object.hasOwn(values, name) ? values[name] : undefined;
    return found === undefined ? whole : JSON.stringify(found).slice(1, -1);
  });
  // Only text inside JSON strings was replaced, so the shape is the one that came in.
  return JSON.parse(filled) as T;
}
