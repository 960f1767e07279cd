import { describe, expect, it } from 'vitest';
import { readAuditArguments, UsageError } from '../../../src/cli/audit-arguments.ts';

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

  it.each([
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
});
