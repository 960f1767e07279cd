import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJson, toText } from '../../../src/store/json.ts';

describe('json for the database', () => {
  it('is the plain JSON of what can be stored', () => {
    const value = { text: 'Grüße 😀 "\\u0000" \\', list: [1, null, true], at: new Date(0) };
    expect(toJson(value)).toBe(JSON.stringify(value));
    expect(toJson(undefined)).toBe('null');
  });

  it('drops NUL and replaces halves of surrogate pairs, in values and keys', () => {
    expect(JSON.parse(toJson({ 'k\0ey': ['a\0b', { deep: '\ud800x\udfff' }] }))).toEqual({
      key: ['ab', { deep: '\ufffdx\ufffd' }],
    });
    expect(toText('a\0\ud83d\ude00\ud83d')).toBe('a\ud83d\ude00\ufffd');
  });

  it('never lets through what PostgreSQL refuses', () => {
    const unit = fc.constantFrom('\0', '\ud83d', '\ude00', '\\', 'u0000', '"', 'a', '\n');
    const text = fc.array(unit, { maxLength: 12 }).map((units) => units.join(''));
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text)), (value) => {
        const stored = JSON.stringify(JSON.parse(toJson(value)));
        expect(stored.replaceAll('\\\\', '')).not.toMatch(/\\u(0000|d[89a-f])/i);
      }),
    );
  });
});
