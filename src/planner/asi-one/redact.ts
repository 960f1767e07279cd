import { PLANNER_LIMITS } from './limits.ts';

/**
 * Makes text fit to be reported: without the secrets given, at most 2,000 characters. What else looks like a credential
 * is taken out of every line of the log.
 */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text.slice(0, PLANNER_LIMITS.errorBodyBytes);
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '[redacted]');
  return clean.length > PLANNER_LIMITS.detailChars ? `${clean.slice(0, PLANNER_LIMITS.detailChars - 1)}…` : clean;
}
