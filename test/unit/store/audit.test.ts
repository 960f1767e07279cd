import { describe, expect, it } from 'vitest';
import { auditHash, detailsJson } from '../../../src/store/audit/audit-chain.ts';
import { csvCell } from '../../../src/store/audit/audit-export.ts';

const ROW = {
  seq: 1,
  at: '2026-01-31T09:30:00.123456Z',
  kind: 'decided',
  runId: 'r1',
  pauseId: null,
  actorId: 'U1',
  reason: 'said "yes"',
  details: '{"a":1}',
  prevHash: '0'.repeat(64),
};

describe('the hash of an audit row', () => {
  it('is that of the hash before it and the row as a JSON array, so that anybody can compute it', () => {
    // printf '%064d[1,"2026-01-31T09:30:00.123456Z","decided","r1",null,"U1","said \\"yes\\"",{"a":1}]' 0 | sha256sum
    expect(auditHash(ROW)).toBe('a88074bef631ec74343dca0425f85cebd1ebf7d6c9fa60fe5a983618d45a0895');
  });

  it('tells a missing text from the word null, and fields from each other', () => {
    const rows = [ROW, { ...ROW, pauseId: 'null' }, { ...ROW, runId: null, pauseId: 'r1' }, { ...ROW, seq: 2 }];
    expect(new Set(rows.map(auditHash)).size).toBe(rows.length);
  });
});

describe('canonical JSON', () => {
  it('is the same for equal values, in whatever order they were written', () => {
    expect(detailsJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  });

  it('leaves out what no database stores', () => {
    expect(detailsJson({ 'k\0': 'a\0b\ud800', gone: undefined })).toBe('{"k":"ab\ufffd"}');
  });
});

describe('a cell of the CSV', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\rx', '\nx', '\uff1d1', '\u00a0=1'])(
    'is no formula: %j',
    (text) => {
      expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['a=b', 'a=b'],
    ['="a,b"', '"\'=""a,b"""'],
  ])('keeps %j readable', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });
});
