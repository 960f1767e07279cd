import { expect, test } from 'vitest';
import { botEnvironment } from '../../../../src/sandbox/demo/environment.ts';

const SANDBOX = {
  slackApiUrl: 'http://127.0.0.1:1/api/',
  botToken: 'xoxb-sandbox',
  appToken: 'xapp-sandbox',
  plannerUrl: 'http://127.0.0.1:2/v1',
  plannerKey: 'sk_sandbox',
  dataDir: '/tmp/demo',
};

test('the bot of the demo sees no real key or server of its surroundings', () => {
  const parent = {
    PATH: '/bin',
    DATABASE_URL: 'postgres://real',
    ASI_ONE_API_KEY: 'real',
    SLACK_SIGNING_SECRET: 'real',
    POLICY_FILE: 'real',
    PAYMENT_RETYPE_ABOVE: 'real',
  };
  const env = botEnvironment(parent, SANDBOX);
  expect(env.PATH).toBe('/bin');
  for (const name of ['DATABASE_URL', 'POLICY_FILE', 'PAYMENT_APPROVERS', 'PAYMENT_RETYPE_ABOVE'])
    expect(env[name]).toBe('');
  expect(Object.values(env).join(' ')).not.toContain('real');
});

test('the bot of the demo talks to the sandbox and keeps its state where it is told', () => {
  expect(botEnvironment({}, SANDBOX)).toMatchObject({
    SLACK_API_URL: SANDBOX.slackApiUrl,
    ASI_ONE_BASE_URL: SANDBOX.plannerUrl,
    DATA_DIR: SANDBOX.dataDir,
    PORT: '0',
  });
});
