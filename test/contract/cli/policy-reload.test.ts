import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { openEmbeddedPool } from '../../../src/store/connection/embedded.ts';
import { type BotChild, startBotChild } from '../../support/bot-child.ts';
import { newDataDir } from '../../support/embedded-template.ts';

const policyText = (name: string) => `version: 1\nrules: [{ name: ${name}, approvers: [anyone] }]\n`;

describe('a process that gets SIGHUP', () => {
  let data: Awaited<ReturnType<typeof newDataDir>>;
  let bot: BotChild | undefined;
  let file = '';
  beforeEach(async () => {
    data = await newDataDir();
    file = join(data.path, 'policy.yml');
    await writeFile(file, policyText('one'));
  });
  afterEach(async () => {
    await bot?.end('SIGKILL');
    await data.remove();
  });

  function start(settings: Record<string, string>): BotChild {
    bot = startBotChild({
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_SIGNING_SECRET: 'secret',
      // Nobody is there, which is no matter here.
      SLACK_API_URL: 'http://127.0.0.1:9/',
      ASI_ONE_API_KEY: 'key',
      PORT: '0',
      SHUTDOWN_GRACE_MS: '0',
      DATA_DIR: data.path,
      ...settings,
    });
    return bot;
  }

  async function reload({ started, line, signal, stdout }: BotChild, text: string, event: string): Promise<void> {
    await started;
    await writeFile(file, text);
    const seen = stdout.length;
    signal('SIGHUP');
    await line((entry) => entry.msg === event && stdout.length > seen);
  }

  async function auditedReasons(): Promise<string[]> {
    const pool = await openEmbeddedPool({ dataDir: data.path, logger: createLogger('silent') });
    try {
      const { rows } = await pool.query<{ reason: string }>('select reason from steward.audit order by seq');
      return rows.map(({ reason }) => reason);
    } finally {
      await pool.end();
    }
  }

  it('reads its policy again, keeps it before a bad file, and has written down what held when', async () => {
    const process = start({ POLICY_FILE: file, PAYMENT_APPROVERS: 'anyone' });
    await process.line((entry) => entry.msg === 'settings_ignored');
    await reload(process, policyText('two'), 'policy_loaded');
    await reload(process, 'version: 2\n', 'policy_reload_refused');
    expect(await process.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await auditedReasons()).toEqual([
      'policy.yml is in force from the start',
      'policy.yml was read again and has changed',
      'policy.yml was read again and cannot be used',
    ]);
  });

  it('goes on, and says that there is nothing to read again, without a policy file', async () => {
    const process = start({});
    await process.started;
    process.signal('SIGHUP');
    await process.line((entry) => entry.msg === 'policy_has_no_file');
    expect(await process.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('waits with it until it is up when it still starts', async () => {
    const process = start({ POLICY_FILE: file });
    await process.line((entry) => entry.msg === 'policy_in_force');
    process.signal('SIGHUP');
    await process.line((entry) => entry.msg === 'policy_loaded');
    await process.started;
    expect(await process.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('does not start with a bad file: it ends with 78 and names every problem, with its place', async () => {
    await writeFile(file, 'version: 2\nrules: []\n');
    const process = start({ POLICY_FILE: file });
    expect(await process.ended).toEqual({ code: 78, signal: null });
    expect(process.stderr.join('\n')).toMatch(
      /policy\.yml:1: version: must be 1[\s\S]*policy\.yml:2: rules: must hold/,
    );
  });
});
