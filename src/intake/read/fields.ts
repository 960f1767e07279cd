/** An object out of a Slack payload whose contents nobody has checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys and list positions, or undefined where any step is missing. */
function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof step === 'number') here = Array.isArray(here) ? here[step] : undefined;
    else here = isFields(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here;
}

/** The text at a path; null when it is missing, empty or no text. */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : null;
}

export function numberAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

export function fieldsAt(value: unknown, ...path: (string | number)[]): Fields | null {
  const found = valueAt(value, path);
  return isFields(found) ? found : null;
}

/** The objects of the list at a path; whatever else the list holds is left out. */
export function listAt(value: unknown, ...path: (string | number)[]): Fields[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found.filter(isFields) : [];
}

export function isTrueAt(value: unknown, ...path: (string | number)[]): boolean {
  return valueAt(value, path) === true;
}
