import { describe, expect, it } from 'vitest';
import { StewardError } from '../../src/errors.ts';
import { createLogger } from '../../src/log.ts';

function logged(write: (logger: ReturnType<typeof createLogger>) => void, level = 'info'): string {
  const lines: string[] = [];
  write(createLogger(level, { write: (line: string) => void lines.push(line) }));
  return lines.join('');
}

describe('createLogger', () => {
  it('takes secrets out by their key, at any of three levels', () => {
    const line = logged((logger) =>
      logger.info({ token: 'one', a: { sessionId: 'two', b: { authorization: 'three' } } }, 'event'),
    );
    expect(line).not.toMatch(/one|two|three/);
    expect(line).toContain('"msg":"event"');
  });

  it.each([
    'xoxb-1234-abcdef',
    'xapp-1-A1-abc',
    'Bearer abc.def.ghi',
    'sk_0123456789abcdef',
    'postgres://user:hunter2@db/steward',
    'eyJhbGciOi.eyJzdWIi.c2ln',
  ])('takes %s out of an error that repeats it', (secret) => {
    const line = logged((logger) => logger.error({ err: new Error(`refused: ${secret} was wrong`) }, 'event'));
    expect(line).not.toContain(secret);
    expect(line).toContain('was wrong');
  });

  it.each([
    '{"client_secret":"cs_test_abc_secret_def","x":1}',
    'Authorization: Bearer cs_test_key',
    'token=cs_test.abc and more',
    "{'session_id': cs_test}",
  ])('takes a secret out of %s, and leaves a line of JSON', (detail) => {
    const line = logged((logger) => logger.warn({ detail, token: null }, 'event'));
    expect(line).not.toContain('cs_test');
    expect(JSON.parse(line)).toMatchObject({ msg: 'event', detail: expect.stringContaining('***') });
  });

  it('says of an error that Steward raised what is wrong and why, and its stack to whoever debugs', () => {
    const cause = new Error('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') });
    const err = new StewardError('Slack did not answer', { code: 'slack_unreachable', retryable: true, cause });
    const line = logged((logger) => logger.warn({ err }, 'event'));
    expect(JSON.parse(line).err).toEqual({
      type: 'StewardError',
      code: 'slack_unreachable',
      message: 'Slack did not answer',
      causes: ['fetch failed', 'connect ECONNREFUSED 127.0.0.1:9'],
    });
    expect(logged((logger) => logger.warn({ err }, 'event'), 'debug')).toContain('"stack"');
  });

  it('says the code of a cause without words, and ends with a cause that causes itself', () => {
    const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    cause.cause = cause;
    const err = new StewardError('Slack did not answer', { code: 'slack_unreachable', retryable: true, cause });
    const { causes } = JSON.parse(logged((logger) => logger.warn({ err }, 'event'))).err;
    expect(new Set(causes)).toEqual(new Set(['ECONNREFUSED']));
  });

  it('keeps the stack of an error that nobody thought of', () => {
    expect(logged((logger) => logger.error({ err: new TypeError('no') }, 'event'))).toContain('"stack"');
  });
});
