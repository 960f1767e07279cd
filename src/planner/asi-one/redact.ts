import { PLANNER_LIMITS } from './limits.ts';

/** Values that look like credentials, whoever they belong to. */
const CREDENTIALS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bBearer\s+[^\s"',<>]+/gi, 'Bearer [redacted]'],
  [/\bsk[-_][\w-]{6,}/g, '[redacted]'],
  [/\bxox[a-z]-[\w-]+/g, '[redacted]'],
  [/\bxapp-[\w-]+/g, '[redacted]'],
  [/\beyJ[\w-]+\.[\w.-]+/g, '[redacted]'],
  [
    /("?(?:client_secret|api_?key|authorization|x-session-id|session_id|token)"?\s*[:=]\s*)"?[^\s",}]+"?/gi,
    '$1[redacted]',
  ],
];

/** Makes text fit for a log: without the secrets given or anything that looks like one, at most 2,000 characters. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text.slice(0, PLANNER_LIMITS.errorBodyBytes);
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '[redacted]');
  for (const [pattern, replacement] of CREDENTIALS) clean = clean.replace(pattern, replacement);
  return clean.length > PLANNER_LIMITS.detailChars ? `${clean.slice(0, PLANNER_LIMITS.detailChars - 1)}…` : clean;
}
