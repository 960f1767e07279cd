import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'policy-cli-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Result = { code: number; stdout: string; stderr: string };

/** Runs in an empty folder, so that no `.env` of the developer's counts. */
function run(args: string[], env: Record<string, string> = {}): Promise<Result> {
  const tsx = import.meta.resolve('tsx');
  const command = ['--import', tsx, join(ROOT, 'src/cli/policy.ts'), ...args];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      command,
      { cwd: folder, env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
  });
}

const ASK = ['explain', '--user', 'U1', '--channel', 'C1', '--amount', '25 USD'];

describe('npm run policy', () => {
  it('explains by the file that is named', async () => {
    const { code, stdout } = await run([...ASK, '--method', 'stripe', '--file', join(ROOT, 'policy.example.yml')]);
    expect(stdout).toContain('needs approval by anyone in this channel, but not @U1 (who asked)');
    expect(stdout).toContain('rule 5 "everything else" matches');
    expect(code).toBe(0);
  });

  it('explains for each method that the policy allows when none is named', async () => {
    const path = join(folder, 'methods.yml');
    const rules =
      'rules:\n  - { name: cards, when: { methods: [stripe] }, approvers: [U2] }\n  - { name: rest, approvers: [U3] }\n';
    await writeFile(
      path,
      `version: 1\nmethods: { allow: [stripe, fet_direct, skyfire, paypal], deny: [paypal] }\n${rules}`,
    );
    const { code, stdout } = await run(ASK, { POLICY_FILE: path });
    const answers = stdout.split('\n').filter((line) => /^(Method|Verdict)/.test(line));
    expect(answers).toEqual([
      'Method:   stripe',
      'Verdict:  needs approval by @U2',
      'Method:   fet_direct, skyfire',
      'Verdict:  needs approval by @U3',
    ]);
    expect(stdout).toContain('no --method given: for all that are allowed');
    expect(code).toBe(0);
  });

  it('explains by the short form when there is no file', async () => {
    const { code, stdout } = await run(ASK, { PAYMENT_APPROVERS: 'S12, U12' });
    expect(stdout).toContain('needs approval by @U12, or members of the user group S12');
    expect(stdout).toContain('no --method given: as when the agent names none');
    expect(code).toBe(0);
  });

  it('says that a policy can be used, and the digest that the audit trail has of it', async () => {
    const path = join(ROOT, 'policy.example.yml');
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    const { code, stdout } = await run(['check'], { POLICY_FILE: path, PAYMENT_APPROVERS: 'anyone' });
    expect(stdout).toBe(`policy.example.yml can be used (5 rules).\nSHA-256 ${digest}\n`);
    expect(code).toBe(0);
  });

  it('ends with 78 and every problem on a bad file', async () => {
    const path = join(folder, 'bad.yml');
    await writeFile(path, 'version: 9\nrules:\n  - name: a\n    count: 2\n');
    for (const args of [['check'], ASK]) {
      const { code, stdout, stderr } = await run(args, { POLICY_FILE: path });
      expect(stderr.trim().split('\n')).toEqual([
        'bad.yml:1: version: must be 1',
        'bad.yml:3: rules[0] (rule 1): must have either approvers or decline',
      ]);
      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    }
  });

  it('ends with 78 on a bad short form', async () => {
    const { code, stderr } = await run(['check'], { PAYMENT_APPROVERS: 'bob' });
    expect(stderr).toContain('PAYMENT_APPROVERS must be');
    expect(code).toBe(78);
  });

  it.each([
    [[]],
    [['approve']],
    [['explain']],
    [['explain', '--user', 'bob', '--channel', 'C1', '--amount', '25 USD']],
    [['check', '--fast']],
    [['check', 'policy.yml']],
  ])('says how it is used after %j', async (args) => {
    const { code, stderr } = await run(args);
    expect(stderr).toContain('Usage:');
    expect(code).toBe(64);
  });

  it('says how it is used when it is asked', async () => {
    const { code, stdout, stderr } = await run(['check', '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage:');
  });

  it('says what is wrong with a word that belongs to no option', async () => {
    expect((await run(['check', 'policy.yml'])).stderr).toMatch(/^check takes no policy.yml: a file goes after --file/);
    expect((await run(['check', '--fast'])).stderr).toMatch(/^Unknown option '--fast'\n/);
  });

  describe('with an .env file', () => {
    const envFile = () => join(folder, '.env');
    afterEach(() => rm(envFile(), { recursive: true, force: true }));

    it('goes by it, but the environment wins, also where it is empty', async () => {
      await writeFile(envFile(), 'PAYMENT_APPROVERS=U12\r\n');
      expect((await run(ASK)).stdout).toContain('needs approval by @U12');
      expect((await run(ASK, { PAYMENT_APPROVERS: '' })).stdout).toContain('needs approval by @U1 (who asked)');
    });

    it('reads the first line of one with a byte order mark', async () => {
      await writeFile(envFile(), '\ufeffPAYMENT_APPROVERS=U12\n');
      expect((await run(ASK)).stdout).toContain('needs approval by @U12');
    });

    it.each(['\ufeff', ''])('ends with 78 on one in UTF-16 that begins with "%s"', async (mark) => {
      await writeFile(envFile(), `${mark}PAYMENT_APPROVERS=U12\n`, 'utf16le');
      expect(await run(ASK)).toEqual({ code: 78, stdout: '', stderr: '.env is not UTF-8: save it as that\n' });
    });

    it('ends with 78 on a folder in its place', async () => {
      await mkdir(envFile());
      expect(await run(ASK)).toMatchObject({
        code: 78,
        stderr: expect.stringMatching(/^\.env cannot be read: EISDIR/),
      });
    });
  });
});
