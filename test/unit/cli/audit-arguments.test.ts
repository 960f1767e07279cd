import { describe, expect, it } from 'vitest';
import { readAuditArguments } from '../../../src/cli/audit-arguments.ts';
import { UsageError } from '../../../src/cli/exit.ts';

const SIGNED = ['--signed-off-by', 'A. Person', '--reason', 'kept for two years'];
const now = () => new Date('2026-06-30T12:00:00Z');

describe('the arguments of npm run audit', () => {
  it('reads verify', () => {
    expect(readAuditArguments(['verify'])).toEqual({ command: 'verify' });
  });

  it('exports everything as JSON lines when nothing else is said', () => {
    expect(readAuditArguments(['export'])).toEqual({ command: 'export', from: null, to: null, format: 'jsonl' });
  });

  it('includes the last day of a span, and excludes the last moment', () => {
    const days = readAuditArguments(['export', '--from', '2026-01-01', '--to', '2026-01-31', '--format', 'csv']);
    expect(days).toEqual({
      command: 'export',
      from: new Date('2026-01-01T00:00:00Z'),
      to: new Date('2026-02-01T00:00:00Z'),
      format: 'csv',
    });
    const moments = readAuditArguments(['export', '--from=2026-01-01T09:30Z', '--to=2026-01-01T12:00:00.5+01:00']);
    expect(moments).toMatchObject({
      from: new Date('2026-01-01T09:30:00Z'),
      to: new Date('2026-01-01T11:00:00.500Z'),
    });
    expect(readAuditArguments(['export', '--from', '2026-01-01', '--to', '2026-01-01'])).toMatchObject({
      to: new Date('2026-01-02T00:00:00Z'),
    });
  });

  it('prunes what is old enough, signed off and with its reason', () => {
    expect(readAuditArguments(['prune', '--before', '2026-04-01', ...SIGNED], now)).toEqual({
      command: 'prune',
      before: new Date('2026-04-01T00:00:00Z'),
      signedOffBy: 'A. Person',
      reason: 'kept for two years',
    });
  });

  it.each([
    ['2026-04-02', 'of 89 days'],
    ['2027-01-01', 'of the future'],
  ])('prunes nothing from before %s, with rows %s among it', (before) => {
    expect(() => readAuditArguments(['prune', '--before', before, ...SIGNED], now)).toThrow(/90 days/);
  });

  it.each([
    [['prune', ...SIGNED]],
    [['prune', '--before', '2020-01-01']],
    [['prune', '--before', '2020-01-01', '--signed-off-by', 'A. Person']],
    [['prune', '--before', '2020-01-01', '--signed-off-by', ' ', '--reason', 'old']],
    [['prune', '--before', '2020-01-01', '--signed-off-by', 'x'.repeat(501), '--reason', 'old']],
    [['prune', '--before', '2020-01-01', '--to', '2020-01-01', ...SIGNED]],
    [['export', '--before', '2020-01-01']],
    [[]],
    [['check']],
    [['verify', 'export']],
    [['verify', '--from', '2026-01-01']],
    [['export', '--format', 'xml']],
    [['export', '--since', '2026-01-01']],
    [['export', '--from', 'yesterday']],
    [['export', '--from', '2026-02-30']],
    [['export', '--from', '2026-13-01']],
    [['export', '--from', '01/02/2026']],
    [['export', '--from', '2026-01-01T09:30:00']],
    [['export', '--from', '2026-02-30T09:30:00Z']],
    [['export', '--from', '2026-01-02', '--to', '2026-01-01']],
  ])('refuses %j', (args) => {
    expect(() => readAuditArguments(args)).toThrow(UsageError);
  });

  it.each([
    [['verify', 'trail.csv'], 'verify takes no trail.csv'],
    [['verify', '--all'], "Unknown option '--all'"],
    [['prune', ...SIGNED], '--before is required: a day such as 2026-01-31'],
  ])('says of %j what is wrong', (args, words) => {
    expect(() => readAuditArguments(args)).toThrow(new UsageError(words));
  });
});
