import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError } from '../../../src/errors.ts';
import { loadPolicyFile, parsePolicy } from '../../../src/policy/load-policy.ts';
import { policyFileSchema } from '../../../src/policy/policy-schema.ts';
import { readPolicyText } from '../../../src/policy/policy-text.ts';
import { DEFAULT_POLICY, policyFromApprovers } from '../../../src/policy/short-form.ts';
import { policyOf, problemsOf, standingOf, termsOf } from './policy-factories.ts';

const EXAMPLE = join(import.meta.dirname, '../../../policy.example.yml');
const RULES = 'rules:\n  - name: all\n    approvers: [requester]\n';
const GOOD = `version: 1\n${RULES}`;

describe('policy.example.yml', () => {
  it('can be used as it is', async () => {
    expect(await loadPolicyFile(EXAMPLE)).not.toHaveProperty('problems');
  });

  it('shows or explains every setting that there is', async () => {
    const text = await readFile(EXAMPLE, 'utf8');
    const names = settingsOf(z.toJSONSchema(policyFileSchema, { io: 'input', unrepresentable: 'any' }));
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !new RegExp(`(?:^|[ {#])${name}(?::|  )`, 'm').test(text))).toEqual([]);
  });

  it.each([
    ['20 USD stripe', 'small amounts', 1],
    ['20.01 USD stripe', 'everything else', 1],
    ['200 USD stripe', 'everything else', 1],
    ['200.01 USD stripe', 'large amounts', 2],
    ['1 EUR stripe', 'large amounts', 2],
  ])('has for %s the rule "%s", with %i approvers', async (option, rule, approversNeeded) => {
    const policy = policyOf((await readFile(EXAMPLE, 'utf8')).replace('version: 1\n', ''));
    const standing = standingOf({ policy, terms: termsOf(option) });
    expect(standing).toMatchObject({ kind: 'needs-approval', rule, approversNeeded });
  });

  it('lets nobody pay by a method that it does not name, or more than its caps', async () => {
    const policy = policyOf((await readFile(EXAMPLE, 'utf8')).replace('version: 1\n', ''));
    expect(standingOf({ policy, terms: termsOf('1 USD skyfire') }).kind).toBe('auto-decline');
    expect(standingOf({ policy, terms: termsOf('1 USD other') }).kind).toBe('auto-decline');
    for (const option of ['500.01 USD', '1000.01 FET', '1 EUR']) {
      expect(standingOf({ policy, terms: termsOf(option) })).toMatchObject({ blockedOptions: [{ index: 0 }] });
    }
  });
});

/** The names of all settings in a schema. */
function settingsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema && schema.properties ? Object.keys(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(settingsOf)];
}

describe('parsePolicy', () => {
  it('denies guests and outsiders, and sets no caps or lists, when nothing is said', () => {
    expect(policyOf(RULES)).toMatchObject({
      source: 'policy.yml',
      guests: 'deny',
      slackConnect: 'deny',
      methods: { allow: null, deny: [] },
      payees: { allow: null, deny: [] },
      caps: { request: null, 'user-per-day': null, 'channel-per-day': null, 'workspace-per-day': null },
    });
  });

  it('keeps amounts as the text that was written', () => {
    const policy = policyOf(`caps:\n  request: { usd: 25.10, FET: 0.000000000000000001 }\n${RULES}`);
    expect(policy.caps.request).toEqual({
      limits: [
        { amount: '25.10', currency: 'USD' },
        { amount: '0.000000000000000001', currency: 'FET' },
      ],
      other: 'deny',
    });
  });

  it('names every problem at once, with path and line', () => {
    const text = [
      'version: 2',
      'guests: maybe',
      'caps:',
      '  request: { USD: 1e3 }',
      '  weekly: { USD: 3 }',
      'rules:',
      '  - name: a',
      '    aprovers: [requester]',
      '  - name: a',
      '    approvers: [requester]',
      '    count: 3',
      '  - name: c',
      '    when: { up-to: [20 dollars please], channels: [general] }',
      '    decline: no',
    ].join('\n');
    expect(problemsOf(text)).toEqual([
      'policy.yml:1: version: must be 1',
      'policy.yml:2: guests: must be deny or allow',
      'policy.yml:4: caps.request.USD: must be a plain decimal number, such as 50 or 0.50',
      'policy.yml:5: caps.weekly: is not a known setting',
      'policy.yml:7: rules[0] (rule 1): must have either approvers or decline',
      'policy.yml:8: rules[0].aprovers (rule 1): is not a known setting',
      'policy.yml:9: rules[1] (rule 2): never applies: rule 1 before it matches everything',
      'policy.yml:9: rules[1].name (rule 2): is the name of rule 1 already',
      'policy.yml:11: rules[1].count (rule 2): must be 1 or 2',
      'policy.yml:12: rules[2] (rule 3): never applies: rule 1 before it matches everything',
      'policy.yml:13: rules[2].when.channels[0] (rule 3, entry 1): must be the id of a channel, such as C0123ABCD',
      'policy.yml:13: rules[2].when.up-to[0] (rule 3, entry 1): must be an amount and a currency, such as 50 USD',
    ]);
  });

  it.each([
    ['', 'policy.yml:1: the file: must be settings, each as name: value'],
    [`version: 1\ncaps: none\n${RULES}`, 'policy.yml:2: caps: must be settings, each as name: value'],
    ['version: 1\nrules: [approve]', 'policy.yml:2: rules[0] (rule 1): must be settings, each as name: value'],
  ])('says in plain words what is no map: %j', (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it.each([
    ['an empty file', ''],
    ['only a comment', '# nothing'],
    ['a list', '- a'],
    ['a text', 'hello'],
    ['no version', RULES],
    ['no rules', 'version: 1\nrules: []'],
    ['a rule that is a text', 'version: 1\nrules: [approve]'],
    ['a rule with neither effect', 'version: 1\nrules: [{ name: a }]'],
    ['a rule with both effects', 'version: 1\nrules: [{ name: a, approvers: [anyone], decline: no }]'],
    ['a count on a decline', 'version: 1\nrules: [{ name: a, decline: no, count: 2 }]'],
    ['approvers that are a text', 'version: 1\nrules: [{ name: a, approvers: anyone }]'],
    ['no approvers', 'version: 1\nrules: [{ name: a, approvers: [] }]'],
    ['an unknown approver', 'version: 1\nrules: [{ name: a, approvers: [everyone] }]'],
    ['an approver by name', 'version: 1\nrules: [{ name: a, approvers: ["@bob"] }]'],
    ['requester and not-the-requester', 'version: 1\nrules: [{ name: a, approvers: [requester, not-the-requester] }]'],
    ['two of one person', 'version: 1\nrules: [{ name: a, approvers: [U12, U12], count: 2 }]'],
    ['two of the requester', 'version: 1\nrules: [{ name: a, approvers: [requester], count: 2 }]'],
    ['an effect that approves', 'version: 1\nrules: [{ name: a, approve: yes }]'],
    ['an empty condition', 'version: 1\nrules: [{ name: a, when: {}, approvers: [anyone] }]'],
    ['an empty list of channels', 'version: 1\nrules: [{ name: a, when: { channels: [] }, approvers: [anyone] }]'],
    ['one currency twice', 'version: 1\nrules: [{ name: a, when: { over: [1 USD, 2 usd] }, approvers: [anyone] }]'],
    [
      'bounds in other currencies',
      'version: 1\nrules: [{ name: a, when: { over: [1 USD], up-to: [2 FET] }, approvers: [anyone] }]',
    ],
    [
      'bounds around nothing',
      'version: 1\nrules: [{ name: a, when: { over: [5 USD], up-to: [5.0 USD] }, approvers: [anyone] }]',
    ],
    [
      'a bound in a currency that the rule leaves out',
      'version: 1\nrules: [{ name: a, when: { currencies: [USD], up-to: [5 EUR] }, approvers: [anyone] }]',
    ],
    [
      'a threshold in a currency that the rule leaves out',
      'version: 1\nrules: [{ name: a, when: { currencies: [USD], over: [5 USD, 5 EUR] }, approvers: [anyone] }]',
    ],
    ['a cap with no currency', `${GOOD}caps: { request: {} }`],
    ['a cap with one currency twice', `${GOOD}caps: { request: { USD: 1, usd: 2 } }`],
    ['a cap in a look-alike currency', `${GOOD}caps: { request: { UЅD: 1 } }`],
    ['a cap of a strange other', `${GOOD}caps: { request: { USD: 1, other: allow } }`],
    ['a negative cap', `${GOOD}caps: { request: { USD: -1 } }`],
    ['a cap with separators', `${GOOD}caps: { request: { USD: "1,000" } }`],
    ['a cap that is infinite', `${GOOD}caps: { request: { USD: .inf } }`],
    ['a cap of 40 digits', `${GOOD}caps: { request: { USD: ${'9'.repeat(40)} } }`],
    ['an outsider by name', `${GOOD}slack-connect: [acme]`],
    ['a method in look-alike letters', `${GOOD}methods: { deny: [ѕtripe] }`],
    ['a duplicate key', `${GOOD}guests: deny\nguests: allow`],
    ['a duplicate key in other quotes', `${GOOD}guests: deny\n"guests": allow`],
    ['an anchor', `${GOOD}guests: &a deny`],
    ['an alias', `${GOOD}guests: &a deny\nslack-connect: *a`],
    ['an alias to nothing', `${GOOD}guests: *a`],
    ['a merge key', `${GOOD}<<: { guests: allow }`],
    ['a merge key in old YAML', `%YAML 1.1\n---\n${GOOD}<<: { guests: allow }`],
    ['__proto__', `${GOOD}__proto__: { guests: allow }`],
    ['__proto__ in a cap', `${GOOD}caps: { request: { USD: 1, __proto__: 5 } }`],
    ['constructor in a rule', 'version: 1\nrules: [{ name: a, approvers: [anyone], constructor: x }]'],
    ['a tag', `${GOOD}guests: !!js/function "deny"`],
    ['a key that is a list', `${GOOD}? [a, b]\n: c`],
    ['two documents', `${GOOD}---\n${GOOD}`],
    ['broken YAML', 'version: 1\nrules: [ { name: "a'],
    ['a tab as indentation', 'version: 1\nrules:\n\t- name: a'],
    ['a null character', `${GOOD}guests: deny\0`],
  ])('refuses %s', (_name, text) => {
    const problems = problemsOf(text);
    expect(problems).not.toEqual([]);
    for (const problem of problems) expect(problem).toMatch(/^policy\.yml:[1-9]\d*: ./);
  });

  it.each([
    ['a megabyte of text', `${GOOD}# ${'x'.repeat(1_048_576)}`],
    ['a billion laughs', `a: &a [x, x]\n${'bcdefghij'.replace(/./g, (c) => `${c}: &${c} [*a, *a, *a, *a]\n`)}`],
    ['deep flow lists', '['.repeat(100_000)],
    ['deep flow lists that seem to close', `${'[ "]", '.repeat(10_000)}`],
    ['deep flow maps', '[{a: '.repeat(20_000)],
    ['deep lists on a line', '- '.repeat(50_000)],
    ['deep complex keys', '? '.repeat(50_000)],
    ['deep indentation', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['deep indented lists', Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}-`).join('\n')],
    ['many keys', Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join('\n')],
    ['many problems', `version: 1\nrules:\n${'  - name: a\n'.repeat(400)}`],
    // Anything but linear work on it runs into the time limit of every test.
  ])('refuses %s with few words', (_name, text) => {
    const problems = problemsOf(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join('\n').length).toBeLessThan(10_000);
  });

  it.each(['[', '{a: ', '[ "]", ', '- ', '? ', '- ? '])('does not even parse %j over and over', (piece) => {
    expect(problemsOf(piece.repeat(18_000))).toEqual(['policy.yml:1: is nested too deeply']);
  });

  it('says what to write in the place of merge keys', () => {
    expect(problemsOf(`${GOOD}<<: { guests: allow }`)).toEqual([expect.stringContaining('write the values out')]);
  });

  it('looks up whether a key stands twice, instead of comparing each with each', () => {
    const text = Array.from({ length: 15_000 }, (_, index) => `k${index}:`).join('\n');
    expect(problemsOf(text).length).toBeGreaterThan(0);
  });

  it('takes brackets and dashes in texts and comments for what they are', () => {
    const text = `# ${'[{- '.repeat(30)}\nversion: 1\nrules:\n  - name: "${'[{- '.repeat(15)}"\n    decline: |\n      ${'[ - '.repeat(30)}\n`;
    expect(problemsOf(text)).toEqual([]);
  });

  it('never throws, whatever the text', () => {
    const pieces = fc.constantFrom(
      'version: 1\n',
      'rules:',
      '- ',
      '[',
      ']',
      '{',
      '}',
      ': ',
      '&a',
      '*a',
      '"',
      '|',
      '\n',
      '  ',
      '%YAML 1.1\n',
      '---\n',
      '!!int',
      '<<',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.oneof(pieces, fc.string()), { maxLength: 60 }).map((all) => all.join('')),
        ),
        (text) => {
          const parsed = parsePolicy(text, 'p.yml');
          expect('problems' in parsed ? parsed.problems.length : 1).toBeGreaterThan(0);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('loadPolicyFile', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'policy-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads a file, and its digest changes with it', async () => {
    const path = join(folder, 'a.yml');
    await writeFile(path, GOOD);
    const first = await loadPolicyFile(path);
    await writeFile(path, `${GOOD}# changed\n`);
    const second = await loadPolicyFile(path);
    if (!('policy' in first && 'policy' in second)) throw new Error('not read');
    expect(first.policy.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(second.policy.digest).not.toBe(first.policy.digest);
  });

  it.each(['missing.yml', '.'])('tells that %s cannot be read', async (name) => {
    const loaded = await loadPolicyFile(join(folder, name));
    expect(loaded).toEqual({ problems: [expect.stringContaining('cannot be read')] });
  });

  it('does not wait for a pipe that nobody writes to', async () => {
    const path = join(folder, 'pipe.yml');
    execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
    expect(await loadPolicyFile(path)).toEqual({ problems: ['pipe.yml: cannot be read: it is not a file'] });
  });

  it('does not read a device without end', async () => {
    expect(await loadPolicyFile('/dev/zero')).toEqual({ problems: ['zero: cannot be read: it is not a file'] });
  });

  it('refuses what is not UTF-8, instead of guessing', async () => {
    const path = join(folder, 'latin1.yml');
    await writeFile(path, Buffer.from(`${GOOD}# caf\xe9\n`, 'latin1'));
    const problem = 'latin1.yml: cannot be read: it is not UTF-8: save it as that';
    expect(await loadPolicyFile(path)).toEqual({ problems: [problem] });
  });

  it('refuses UTF-16 without its mark, which could be UTF-8 with odd characters', async () => {
    const path = join(folder, 'utf16.yml');
    await writeFile(path, GOOD, 'utf16le');
    expect(await loadPolicyFile(path)).toEqual({ problems: [expect.stringContaining('it is not UTF-8')] });
  });

  it('speaks of two documents as of the file, and not of a parser', () => {
    const problem = expect.stringMatching(/^a\.yml:\d+: a second document \(---\) is not allowed$/);
    expect(parsePolicy(`${GOOD}---\n${GOOD}`, 'a.yml')).toEqual({ problems: [problem] });
  });

  it('takes a byte order mark, and its digest is that of the file', async () => {
    const path = join(folder, 'bom.yml');
    await writeFile(path, `\ufeff${GOOD}`);
    const digest = createHash('sha256').update(`\ufeff${GOOD}`).digest('hex');
    expect(await loadPolicyFile(path)).toMatchObject({ policy: { digest } });
  });

  it('never takes half of a file that is being written', async () => {
    const path = join(folder, 'busy.yml');
    const whole = `${GOOD}${'# filler\n'.repeat(10_000)}caps: { request: { USD: 1 } }\n`;
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) await writeFile(path, whole);
    })();
    const loads = [];
    const readAtOnce = (file: string) => readPolicyText(file, async () => undefined);
    for (let round = 0; round < 200; round++) loads.push(await loadPolicyFile(path, readAtOnce));
    isWriting = false;
    await writing;
    for (const loaded of loads) {
      if ('policy' in loaded) expect(loaded.policy.caps.request).not.toBeNull();
    }
    expect(await loadPolicyFile(path)).toHaveProperty('policy');
  });

  it('does not take a file that grows on soon after it was read', async () => {
    const file = join(folder, 'growing.yml');
    await writeFile(file, GOOD);
    const copying = () => appendFile(file, '    count: 2\n');
    const growing = loadPolicyFile(file, (path) => readPolicyText(path, copying));
    expect(await growing).toEqual({ problems: [expect.stringContaining('changed while it was read')] });
    expect(await loadPolicyFile(file)).toHaveProperty('problems');
  });

  it('does not read a huge file', async () => {
    const path = join(folder, 'huge.yml');
    await writeFile(path, 'x'.repeat(1_048_576));
    expect(await loadPolicyFile(path)).toEqual({ problems: [expect.stringContaining('larger than')] });
  });
});

describe('policyFromApprovers', () => {
  it('lets the requester approve when nothing is set', () => {
    expect(DEFAULT_POLICY.rules).toMatchObject([
      {
        effect: {
          kind: 'approval',
          approversNeeded: 1,
          who: { requester: true, anyone: false, users: [], groups: [] },
        },
      },
    ]);
  });

  it('reads people and user groups', () => {
    expect(policyFromApprovers(['U12', 'S12', 'W12']).rules).toMatchObject([
      { effect: { who: { requester: false, anyone: false, users: ['U12', 'W12'], groups: ['S12'] } } },
    ]);
  });

  it.each([[[]], [['nobody']], [['requester', 'C12']]])('refuses %j', (approvers) => {
    expect(() => policyFromApprovers(approvers)).toThrow(ConfigError);
  });
});
