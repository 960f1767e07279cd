import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeMrkdwn, escapeWithin, plainText, truncate } from '../../../../src/presenter/text/escape.ts';

describe('escaping for mrkdwn', () => {
  it('turns control characters into entities', () => {
    expect(escapeMrkdwn('<!channel> & <@U1> a<b')).toBe('&lt;!channel&gt; &amp; &lt;@U1&gt; a&lt;b');
  });

  it.each(['@here', '@channel', '@Everyone', '(@here)', '请@channel', 'b@here'])('breaks %s', (text) => {
    expect(escapeMrkdwn(text)).not.toMatch(/@(here|channel|everyone)/i);
  });

  it.each(['https://hackmd.io/@here/abc', 'me@here.com', '@vercel/postgres', 'jo@channel.io', '@hereafter'])(
    'leaves %s alone',
    (text) => {
      expect(escapeMrkdwn(text)).toBe(text);
      expect(plainText(text)).toBe(text);
    },
  );

  it('never exceeds its bound and never cuts an entity', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '&', 'a', '👍', '@here ') }),
        fc.integer({ min: 5, max: 60 }),
        (text, max) => {
          const escaped = escapeWithin(text, max);
          expect(escaped.length).toBeLessThanOrEqual(max);
          expect(escaped.replace(/&(?:amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
        },
      ),
    );
  });
});

describe('truncating', () => {
  it('keeps what fits as it is', () => {
    expect(truncate('short', 5)).toBe('short');
  });

  it('never splits a visible character', () => {
    expect(truncate('ab👩‍👩‍👧‍👦cd', 6)).toBe('ab…');
    expect(truncate('🇩🇪🇫🇷🇮🇹', 6)).toBe('🇩🇪…');
  });

  it('never leaves half a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (text, max) => {
        const cut = truncate(text, max);
        expect(cut.length).toBeLessThanOrEqual(Math.max(max, 0));
        expect(cut).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});
