import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isolate } from '../../../../src/presenter/text/direction.ts';
import { cleanText, escapeWithin, plainText, truncate } from '../../../../src/presenter/text/escape.ts';
import { label } from '../../../../src/presenter/text/label.ts';
import { reaching } from '../direction-rules.ts';

const FSI = '\u2068';
const PDI = '\u2069';
const HEBREW = 'שלום';

describe('text that is written from right to left', () => {
  it('is isolated from the words around it, and other text stays as it is', () => {
    expect(isolate(HEBREW)).toBe(`${FSI}${HEBREW}${PDI}`);
    expect(isolate('Parcel Desk é 漢 👍🏽')).toBe('Parcel Desk é 漢 👍🏽');
  });

  it('is isolated line by line, because a line end closes every isolate', () => {
    expect(isolate(`a\n${HEBREW}\nb`)).toBe(`a\n${FSI}${HEBREW}${PDI}\nb`);
  });

  it('keeps to the bound of its field with the isolate', () => {
    expect(label(HEBREW.repeat(20), 10)).toHaveLength(10);
    expect(label(HEBREW, 4)).toHaveLength(4);
    expect(escapeWithin(HEBREW.repeat(20), 10).length).toBeLessThanOrEqual(10);
  });

  it('stays closed where a plain field cuts it behind words of our own', () => {
    const cut = truncate(`54. ${label(HEBREW.repeat(60), 200)}`, 75);
    expect(cut).toHaveLength(75);
    expect(cut.endsWith(`…${PDI}`)).toBe(true);
    expect(truncate(`${FSI.repeat(40)}${HEBREW}${PDI.repeat(40)}`, 20).length).toBeLessThanOrEqual(20);
  });

  it('cannot smuggle overrides, forced directions or invisible marks into a label', () => {
    expect(label('25\u200F.\u200E5\u061C0 \u202Eevil\u2066\u2067', 50)).toBe('25.50 evil');
  });

  it('cannot leave an isolate open, or close one of ours', () => {
    expect(cleanText(`a${PDI}b${FSI}c`)).toBe('abc');
    expect(cleanText(`a${FSI}b${PDI}c`)).toBe(`a${FSI}b${PDI}c`);
    expect(isolate(`${PDI}${HEBREW}${FSI}`)).toBe(`${FSI}${HEBREW}${PDI}`);
  });

  it('never reaches beyond its isolate, whatever it holds', () => {
    const units = fc.constantFrom(HEBREW, 'ع', FSI, PDI, '\u202E', '\u2067', '\u200F', 'a', ' ', '\n', '<', '1');
    fc.assert(
      fc.property(fc.string({ unit: units }), fc.integer({ min: 8, max: 80 }), (text, max) => {
        expect(reaching(escapeWithin(text, max))).toBe('');
        expect(reaching(label(text, max) ?? '')).toBe('');
        expect(reaching(truncate(plainText(isolate(text)), max))).toBe('');
        expect(truncate(plainText(isolate(text)), max).length).toBeLessThanOrEqual(max);
        expect(escapeWithin(text, max).length).toBeLessThanOrEqual(max);
        expect((label(text, max) ?? '').length).toBeLessThanOrEqual(max);
      }),
    );
  });
});
