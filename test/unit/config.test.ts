import { describe, expect, it } from 'vitest';
import { loadConfig, loadPolicySettings, loadStateSettings } from '../../src/config.ts';
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

  it('says which agent address is wrong, also beside other problems', () => {
    const problems = problemsOf({ ...REQUIRED, ASI_ONE_AGENTS: 'agent1qbroken,foo', PORT: 'x' }).join('\n');
    expect(problems).toContain('ASI_ONE_AGENTS agent1qbroken: ');
    expect(problems).toContain('ASI_ONE_AGENTS foo: ');
    expect(problems).toContain('PORT must');
  });

  it('lets the requester approve payments, with nothing typed again, when nothing is said', () => {
    const policy = { policyFile: null, paymentApprovers: ['requester'], retypeAbove: null, ignored: [] };
    expect(loadConfig(REQUIRED)).toMatchObject(policy);
  });

  it.each(['requester', 'anyone', 'not-the-requester', 'U123,S456', 'anyone,U123'])(
    'accepts %s as payment approvers',
    (value) => {
      expect(loadConfig({ ...REQUIRED, PAYMENT_APPROVERS: value }).paymentApprovers).toEqual(value.split(','));
    },
  );

  it.each(['everyone', 'u123', 'C123', '@bob', ',', 'requester,not-the-requester', 'U123 U456'])(
    'refuses %s as payment approvers, by the name of the variable',
    (value) => {
      expect(problemsOf({ ...REQUIRED, PAYMENT_APPROVERS: value })).toEqual([
        expect.stringMatching(/^PAYMENT_APPROVERS (must be|cannot be) /),
      ]);
    },
  );

  it.each([
    ['50 USD', { amount: '50', currency: 'USD' }],
    ['0.50 fet', { amount: '0.50', currency: 'FET' }],
    ['0 USD', { amount: '0', currency: 'USD' }],
  ])('reads %s as the amount above which it is typed again', (text, expected) => {
    expect(loadConfig({ ...REQUIRED, PAYMENT_RETYPE_ABOVE: text }).retypeAbove).toEqual(expected);
  });

  it.each(['50', 'USD', '$50', '1e3 USD', '-1 USD', '1,000 USD', '50 USD or so', 'never'])(
    'refuses %s as that amount',
    (text) => {
      expect(problemsOf({ ...REQUIRED, PAYMENT_RETYPE_ABOVE: text })).toEqual([
        'PAYMENT_RETYPE_ABOVE must be an amount and a currency, such as 50 USD',
      ]);
    },
  );

  it('lets a policy file win over the short form, and says so', () => {
    const both = { ...REQUIRED, POLICY_FILE: 'policy.yml', PAYMENT_APPROVERS: 'anyone' };
    expect(loadConfig(both)).toMatchObject({ policyFile: 'policy.yml', ignored: ['PAYMENT_APPROVERS'] });
    expect(loadConfig({ ...both, PAYMENT_APPROVERS: '' }).ignored).toEqual([]);
  });
});

describe('settings of commands', () => {
  it('need only their own variables', () => {
    expect(loadPolicySettings({ POLICY_FILE: 'p.yml', PORT: 'x' })).toEqual({
      policyFile: 'p.yml',
      paymentApprovers: ['requester'],
    });
    expect(loadStateSettings({ DATABASE_URL: ' ' })).toEqual({ kind: 'embedded', dataDir: './data' });
  });

  it('are read as strictly as the bot does', () => {
    expect(() => loadPolicySettings({ PAYMENT_APPROVERS: 'bob' })).toThrow(/PAYMENT_APPROVERS must be/);
    expect(() => loadStateSettings({ DATABASE_URL: 'localhost' })).toThrow(/DATABASE_URL must be/);
  });
});
