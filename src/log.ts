import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';

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

/** Secrets that may stand inside an error's message or stack, whatever their key. */
const SECRET_TEXT = [
  /xox[a-z]-[A-Za-z0-9-]+/g,
  /xapp-[A-Za-z0-9-]+/g,
  /\bBearer\s+[^\s"']+/gi,
  /\bsk_[A-Za-z0-9_-]{8,}/g,
  /((?:postgres(?:ql)?|rediss?):\/\/)[^\s@/]+@/gi,
];

function redactText(line: string): string {
  return SECRET_TEXT.reduce(
    (text, pattern) =>
      text.replace(pattern, (_match, scheme: unknown) => (typeof scheme === 'string' ? `${scheme}***@` : '***')),
    line,
  );
}

function redactKeys(value: string): string[] {
  const key = /^\w+$/.test(value) ? value : undefined;
  return key ? [key, `*.${key}`, `*.*.${key}`] : [`["${value}"]`, `*["${value}"]`, `*.*["${value}"]`];
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
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    redacting,
  );
}
