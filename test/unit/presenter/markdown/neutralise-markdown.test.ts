import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutraliseMarkdown } from '../../../../src/presenter/markdown/neutralise-markdown.ts';

const PING = /<!(?!--)|<@|<#|@(?:channel|here|everyone)\b/i;

/** What Slack could read once escapes and entities are gone. */
function asRead(text: string): string {
  return text
    .replace(/&lt;|&#60;|&#x3c;/gi, '<')
    .replace(/&excl;|&#33;|&#x21;/gi, '!')
    .replace(/&commat;|&#64;|&#x40;/gi, '@')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

function withoutBreaks(text: string): string {
  return text.replaceAll('\u200B', '');
}

describe('mentions in Markdown', () => {
  it.each([
    '<!channel>',
    'Hi <!here> there',
    '<!everyone|everyone>',
    '<!subteam^S123|@team>',
    '<@U123>',
    '<#C123|general>',
    '@channel look',
    '**@here**',
    '> @everyone',
    '- item <!channel>',
    '| a |\n| - |\n| <!channel> |',
    '# <!here>',
    '[@channel](https://x.y)',
    '![<!here>](https://x.y/a.png)',
    '[x](https://x.y "<!channel>")',
    '&lt;!channel&gt;',
    '&#60;!channel&#62;',
    '&#x3C;&#x40;U123>',
    '\\<!channel>',
    '<\\!channel>',
    '\\@here',
    '<div title="<!here>">\n<!channel>\n</div>',
    '<!channel\nfoo>',
    '    <!channel> indented',
    '~~~\n<!channel>\n~~~',
    '``` <!here>\ncode\n```',
    '[^1]\n\n[^1]: <!channel>',
    '`two\nlines <!channel>`',
  ])('cannot ping: %j', (source) => {
    const { text } = neutraliseMarkdown(source);
    expect(asRead(text)).not.toMatch(PING);
    expect(withoutBreaks(text)).toBe(source);
  });

  it.each(['[x](!channel)', '[x](<!here>)', '[x](@U123)', '[a]: !channel', '![x](!here)'])(
    'cannot become one through a link: %j',
    (source) => {
      expect(neutraliseMarkdown(source).text).not.toMatch(/(?:\(|: |<)[!@]/);
    },
  );

  it.each([
    'See https://hackmd.io/@jkyang/abc and https://x.y/@here/z.',
    'Mail jo@here.com or jo@channel.io',
    'Use `@vercel/postgres` and `<!channel>` and `@here`',
    '```ts\nimport x from "@vercel/postgres"; // <!channel> @here\nif (a <!b) {}\n```',
    '<https://x.y/?a=<b>',
    '<!-- a comment -->',
    '[docs](https://x.y/@here/z?q=@channel)',
    'www.x.y/@everyone',
    'https://x.y/~@here/z and <https://x.y/~@channel>',
    'a < b && c > d',
  ])('leaves alone: %j', (source) => {
    expect(neutraliseMarkdown(source).text).toBe(source);
  });

  it('in text are broken without touching the code beside them', () => {
    const { text } = neutraliseMarkdown('<!channel> use `<!here>`\n\n```\n<@U1>\n```');
    expect(text).toBe('<\u200B!channel> use `<!here>`\n\n```\n<@U1>\n```');
  });

  it('stay harmless when the rewrite turns code into text', () => {
    const source = '<!channel\n``` js >\n<!here> text\n```\n<!everyone> was code\n```\n';
    const { text } = neutraliseMarkdown(source);
    expect(text).toContain('<\u200B!channel');
    expect(text).toContain('<\u200B!everyone> was code');
  });

  it('is done after one round, and only ever inserts breaks', () => {
    const piece = fc.constantFrom(
      '<!channel>',
      '@here',
      '<@U1>',
      '&lt;',
      '!',
      '\\',
      '`',
      '```\n',
      '\n',
      '\n\n',
      '[',
      '](',
      ')',
      '<',
      '>',
      'a',
      ' ',
      '> ',
      '- ',
      '~~~\n',
      '    ',
      '|',
      'https://x.y/',
      '"',
      '&#60;',
      '@',
      'here',
      '<!',
      '*',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
        (source) => {
          const { text } = neutraliseMarkdown(source);
          expect(withoutBreaks(text)).toBe(source);
          expect(neutraliseMarkdown(text).text).toBe(text);
        },
      ),
      { numRuns: 500 },
    );
  });
});
