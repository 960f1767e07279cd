import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { StewardError } from './errors.ts';

/** Keys whose values never reach a log line, at the top level and two levels down. */
const SECRET_KEYS = [
  'token',
  'botToken',
  'appToken',
  'signingSecret',
  'apiKey',
  'authorization',
  'Authorization',
  'sessionId',
  'x-session-id',
  'client_secret',
  'clientSecret',
  'response_url',
  'trigger_id',
  'password',
  'DATABASE_URL',
  'REDIS_URL',
];

const NAMED_SECRET = '(?:client_secret|api_?key|authorization|x-session-id|session_id|token)';

/**
 * Secrets that may stand inside a text (an error's message or stack, a planner's answer), whatever its key. A match never
 * begins or ends between a quote and its backslash, so that a line stays JSON.
 */
const SECRET_TEXT: ReadonlyArray<readonly [RegExp, string]> = [
  [/xox[a-z]-[\w-]+/g, '***'],
  [/xapp-[\w-]+/g, '***'],
  [/\bBearer\s+[^\s"',<>\\]+/gi, '***'],
  [/\bsk[-_][\w-]{6,}/g, '***'],
  [/\beyJ[\w-]+\.[\w.-]+/g, '***'],
  [/((?:postgres(?:ql)?|rediss?):\/\/)[^\s@/]+@/gi, '$1***@'],
  // As JSON inside a text, whose quotes are escaped; and in other words.
  [new RegExp(`(${NAMED_SECRET}\\\\+"\\s*:\\s*\\\\+")[^"\\\\]+`, 'gi'), '$1***'],
  [new RegExp(`(${NAMED_SECRET}'?\\s*[:=]\\s*'?)[^\\s"'\\\\,}]+`, 'gi'), '$1***'],
];

/** Libraries nest two or three; one that causes itself must end somewhere. */
const MAX_CAUSES = 5;

function redactText(line: string): string {
  return SECRET_TEXT.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

function redactKeys(value: string): string[] {
  const key = /^\w+$/.test(value) ? value : undefined;
  return key ? [key, `*.${key}`, `*.*.${key}`] : [`["${value}"]`, `*["${value}"]`, `*.*["${value}"]`];
}

/**
 * An error as it is logged. One that Steward raises on purpose says what is wrong and what to do; where in the code it
 * was raised helps only whoever debugs Steward.
 */
function serializeError(error: unknown, level: string): unknown {
  if (!(error instanceof Error)) return error;
  const hasStack = !(error instanceof StewardError) || level === 'debug' || level === 'trace';
  if (hasStack) return pino.stdSerializers.err(error);
  const { name: type, code, message } = error;
  const causes = causesOf(error.cause, MAX_CAUSES);
  return { type, code, message, ...(causes.length > 0 && { causes }) };
}

/** What a library said of it, from the outside in: `fetch failed`, then `connect ECONNREFUSED 127.0.0.1:443`. */
function causesOf(cause: unknown, max: number): string[] {
  if (!(cause instanceof Error) || max === 0) return [];
  // Of several addresses that were tried Node says only the code.
  const said = cause.message || ('code' in cause ? String(cause.code) : cause.name);
  return [said, ...causesOf(cause.cause, max - 1)];
}

/**
 * The process's logger: JSON lines on stdout. Secrets are taken out twice, by key and by what they look like, because
 * errors of libraries repeat headers and URLs in their texts.
 */
export function createLogger(level: string, destination: DestinationStream = process.stdout): PinoLogger {
  const redacting: DestinationStream = { write: (line) => destination.write(redactText(line)) };
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_KEYS.flatMap(redactKeys), censor: '***' },
      serializers: { err: (error: unknown) => serializeError(error, level) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    redacting,
  );
}
