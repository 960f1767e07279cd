import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/errors.ts';

const REQUIRED = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'secret', ASI_ONE_API_KEY: 'key' };

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('fills in the defaults', () => {
    expect(loadConfig(REQUIRED)).toMatchObject({
      port: 3000,
      planner: { baseUrl: 'https://api.asi1.ai/v1', model: 'asi1', agents: [], idleTimeoutMs: 330_000 },
      state: { kind: 'embedded', dataDir: './data' },
      redisUrl: null,
      workerConcurrency: 50,
      editIntervalMs: 3000,
      editsPerMinute: 45,
      pauseTtlMs: 1_800_000,
      runTimeoutMs: 5_400_000,
      shutdownGraceMs: 600_000,
    });
  });

  it('names every problem at once', () => {
    const problems = problemsOf({ PORT: 'x', ASI_ONE_MODEL: 'gpt', REDIS_URL: 'redis://localhost', LOG_LEVEL: 'loud' });
    const variables = problems.map((problem) => problem.split(' ')[0]);
    expect(new Set(variables)).toEqual(
      new Set([
        'SLACK_BOT_TOKEN',
        'PORT',
        'ASI_ONE_API_KEY',
        'ASI_ONE_MODEL',
        'LOG_LEVEL',
        'SLACK_SIGNING_SECRET',
        'REDIS_URL',
      ]),
    );
  });

  it('never repeats a value that may be a secret', () => {
    const problems = problemsOf({ ...REQUIRED, SLACK_BOT_TOKEN: 'not-a-token', SLACK_APP_TOKEN: 'not-this-either' });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toMatch(/not-a-token|not-this-either/);
  });

  it('needs no signing secret in Socket Mode', () => {
    const { SLACK_SIGNING_SECRET: _, ...rest } = REQUIRED;
    expect(loadConfig({ ...rest, SLACK_APP_TOKEN: 'xapp-1' }).slack.appToken).toBe('xapp-1');
  });

  it('takes an empty variable as unset', () => {
    expect(loadConfig({ ...REQUIRED, DATABASE_URL: '', PORT: ' ' }).state.kind).toBe('embedded');
  });

  it('lets PAUSE_TTL_MS win over PAUSE_TTL_MINUTES', () => {
    expect(loadConfig({ ...REQUIRED, PAUSE_TTL_MINUTES: '5', PAUSE_TTL_MS: '1500' }).pauseTtlMs).toBe(1500);
  });

  it('says which agent address is wrong', () => {
    expect(problemsOf({ ...REQUIRED, ASI_ONE_AGENTS: 'agent1qbroken' }).join()).toContain('agent1qbroken');
  });

  it.each(['requester', 'anyone', 'U123,S456'])('accepts %s as payment approvers', (value) => {
    expect(loadConfig({ ...REQUIRED, PAYMENT_APPROVERS: value }).paymentApprovers).toEqual(value.split(','));
  });

  it('refuses a mix of words and ids as payment approvers', () => {
    expect(problemsOf({ ...REQUIRED, PAYMENT_APPROVERS: 'anyone,U123' })).toHaveLength(1);
  });
});
