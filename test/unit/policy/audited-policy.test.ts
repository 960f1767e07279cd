import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import type { Logger } from '../../../src/domain/ports/logger.ts';
import { auditPolicy } from '../../../src/policy/audited-policy.ts';
import { createPolicyHolder } from '../../../src/policy/policy-holder.ts';
import { DEFAULT_POLICY } from '../../../src/policy/short-form.ts';

const policyText = (name: string) => `version: 1\nrules: [{ name: ${name}, approvers: [anyone] }]\n`;

/** A file, an audit trail that may be down, and the events that were logged. */
function setup(path: string | null = '/etc/policy.yml') {
  const rows: AuditEntry[] = [];
  const events: string[] = [];
  const world = { text: policyText('one'), isDown: false };
  const note = (fields: object | string, event?: string) => void events.push(event ?? String(fields));
  const logger: Logger = { debug: note, info: note, warn: note, error: note, child: () => logger };
  const audit = {
    async append(entry: AuditEntry) {
      if (world.isDown) throw new Error('down');
      rows.push(entry);
    },
  };
  const readFile = async () => world.text;
  const open = async () =>
    auditPolicy(await createPolicyHolder({ path, fallback: DEFAULT_POLICY, logger, readFile }), { audit, logger });
  return { world, rows, events, open };
}

describe('auditPolicy', () => {
  it('writes down the policy at the start and at each reload, with its digest', async () => {
    const { world, rows, open } = setup();
    const policy = await open();
    const first = policy.current().digest;
    world.text = policyText('two');
    await policy.reload();
    await policy.reload();
    const second = policy.current().digest;
    expect(rows).toMatchObject([
      {
        kind: 'policy_loaded',
        actorId: null,
        runId: null,
        reason: 'policy.yml is in force from the start',
        details: { source: 'policy.yml', digest: first, rules: ['one'] },
      },
      { reason: 'policy.yml was read again and has changed', details: { digest: second, rules: ['two'] } },
      { reason: 'policy.yml was read again, unchanged', details: { digest: second } },
    ]);
    expect(first).not.toBe(second);
  });

  it('writes down the short form too, and nothing when there is nothing to read again', async () => {
    const { rows, open } = setup(null);
    const policy = await open();
    expect(await policy.reload()).toEqual({ kind: 'no-file' });
    expect(rows).toMatchObject([{ reason: 'PAYMENT_APPROVERS is in force from the start' }]);
  });

  it('writes down that a policy was refused, with the first of its problems and the policy that stays', async () => {
    const { world, rows, open } = setup();
    const policy = await open();
    world.text = 'version: 2\n';
    expect(await policy.reload()).toMatchObject({ kind: 'kept' });
    expect(rows.slice(1)).toEqual([
      {
        kind: 'policy_refused',
        runId: null,
        pauseId: null,
        actorId: null,
        reason: 'policy.yml was read again and cannot be used',
        details: {
          source: 'policy.yml',
          problems: 2,
          firstProblem: 'policy.yml:1: version: must be 1',
          inForce: policy.current().digest,
        },
      },
    ]);
  });

  it('lets a reload count when it cannot be written down, and logs that', async () => {
    const { world, events, open } = setup();
    const policy = await open();
    world.text = policyText('two');
    world.isDown = true;
    expect(await policy.reload()).toMatchObject({ kind: 'loaded' });
    expect(policy.current().rules[0]?.name).toBe('two');
    expect(events).toContain('policy_not_audited');
  });

  it('does not start with a policy that cannot be written down', async () => {
    const { world, open } = setup();
    world.isDown = true;
    await expect(open()).rejects.toThrow('down');
  });
});
