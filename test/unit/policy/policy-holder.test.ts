import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../src/domain/ports/logger.ts';
import { ConfigError } from '../../../src/errors.ts';
import { createPolicyHolder } from '../../../src/policy/policy-holder.ts';
import { DEFAULT_POLICY } from '../../../src/policy/short-form.ts';

const policyText = (name: string) => `version: 1\nrules: [{ name: ${name}, approvers: [anyone] }]\n`;

type Read = () => Promise<string>;

/** A holder of a file that `read` reads, and what it logs. */
function setup(read: Read, path: string | null = '/etc/policy.yml') {
  const events: Array<{ event: string; fields: object }> = [];
  const note = (fields: object | string, event = '') =>
    void events.push(typeof fields === 'string' ? { event: fields, fields: {} } : { event, fields });
  const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
  return {
    events,
    create: () => createPolicyHolder({ path, fallback: DEFAULT_POLICY, logger, readFile: () => read() }),
  };
}

/** A file whose text can be changed; null: it is gone. */
function setupFile(first: string) {
  const file: { text: string | null } = { text: first };
  const read: Read = async () => {
    if (file.text === null) throw new Error('ENOENT');
    return file.text;
  };
  return { file, ...setup(read) };
}

describe('createPolicyHolder', () => {
  it('holds the file, and what it says after a reload', async () => {
    const { file, events, create } = setupFile(policyText('one'));
    const holder = await create();
    expect(holder.current().rules[0]?.name).toBe('one');
    file.text = policyText('two');
    expect(await holder.reload()).toMatchObject({ kind: 'loaded', isChanged: true });
    expect(holder.current().rules[0]?.name).toBe('two');
    expect(events.map(({ event }) => event)).toEqual(['policy_loaded']);
  });

  it('tells a reload that changes nothing', async () => {
    const holder = await setupFile(policyText('one')).create();
    expect(await holder.reload()).toMatchObject({ kind: 'loaded', isChanged: false });
  });

  it('keeps the policy before a bad file, and logs every problem', async () => {
    const { file, events, create } = setupFile(policyText('one'));
    const holder = await create();
    file.text = 'version: 3\nrules: []\n';
    const problems = [expect.stringMatching(/^policy\.yml:1: version/), expect.stringMatching(/^policy\.yml:2: rules/)];
    expect(await holder.reload()).toEqual({ kind: 'kept', problems });
    expect(holder.current().rules[0]?.name).toBe('one');
    expect(events).toMatchObject([{ event: 'policy_reload_refused', fields: { problems } }]);
  });

  it('keeps the policy when the file is gone, and takes it once it is back', async () => {
    const { file, create } = setupFile(policyText('one'));
    const holder = await create();
    file.text = null;
    expect(await holder.reload()).toMatchObject({ kind: 'kept' });
    file.text = policyText('two');
    expect(await holder.reload()).toMatchObject({ kind: 'loaded' });
  });

  it('does not begin with a bad file, nor fall back to something laxer', async () => {
    await expect(setupFile('version: 1\n').create()).rejects.toThrow(ConfigError);
  });

  it('lets the last of several reloads win', async () => {
    const texts = [policyText('first'), policyText('slow'), policyText('last')];
    const gates: Array<() => void> = [];
    const read: Read = async () => {
      const text = texts.shift() ?? '';
      if (text.includes('slow')) await new Promise<void>((resolve) => gates.push(resolve));
      return text;
    };
    const holder = await setup(read).create();
    const both = [holder.reload(), holder.reload()];
    while (gates.length === 0) await Promise.resolve();
    gates[0]?.();
    await Promise.all(both);
    expect(holder.current().rules[0]?.name).toBe('last');
  });

  it('holds the short form for good where there is no file, and says so when asked to read it again', async () => {
    const { events, create } = setup(() => Promise.reject(new Error('nothing is read')), null);
    const holder = await create();
    expect(await holder.reload()).toEqual({ kind: 'no-file' });
    expect(holder.current()).toBe(DEFAULT_POLICY);
    expect(events).toEqual([{ event: 'policy_has_no_file', fields: { source: 'PAYMENT_APPROVERS' } }]);
  });
});
