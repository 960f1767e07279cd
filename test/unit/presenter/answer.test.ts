import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageContent } from '../../../src/domain/ports/chat.ts';
import { answerFile, answerMessage, cutAnswer, noAnswerText } from '../../../src/presenter/answer.ts';
import { nodesOf, parseMarkdown } from '../../../src/presenter/markdown/markdown-tree.ts';
import { splitMarkdown } from '../../../src/presenter/markdown/split-markdown.ts';
import { read, slackProblems } from './slack-rules.ts';

const RUN_ID = '1a2b3c4d-0000-4000-8000-000000000001';

function messagesOf(answer: string): MessageContent[] {
  const cut = cutAnswer(answer);
  if (cut.kind !== 'pieces') throw new Error(`The answer became ${cut.kind}.`);
  return cut.pieces.map((piece, part) => answerMessage({ piece, part, parts: cut.pieces.length }));
}

function piecesOf(answer: string): string[] {
  return messagesOf(answer).map((content) => {
    expect(slackProblems(content)).toEqual([]);
    expect(slackProblems({ text: content.text, blocks: content.fallbackBlocks ?? content.blocks })).toEqual([]);
    return String(read(content.blocks[0], 'text'));
  });
}

function split(source: string, max: number): string[] {
  const tree = parseMarkdown(source);
  if (!tree) throw new Error('Not parsed.');
  return splitMarkdown(source, tree, max);
}

/** Numbered words, so that order and completeness can be checked. */
function words(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `w${from + index}w`);
}

function found(pieces: readonly string[]): number[] {
  return [...pieces.join('\n').matchAll(/w(\d+)w/g)].map((match) => Number(match[1]));
}

describe('an answer', () => {
  it('is one markdown block, byte for byte, when it fits', () => {
    const answer = '# Title\n\nText with `@vercel/postgres`, jo@x.com\n\n- a\n  - b\n\n| a | b |\n| - | - |\n| 1 | 2 |';
    expect(piecesOf(answer)).toEqual([answer]);
  });

  it('that is empty gets an honest sentence', () => {
    expect(cutAnswer(' \n')).toEqual({ kind: 'none' });
    expect(noAnswerText()).toContain('wrote no answer');
  });

  it('of one 220-line SQL fence is valid in each piece', () => {
    const lines = Array.from(
      { length: 220 },
      (_, index) => `SELECT column_${index}, '${'x'.repeat(80)}' FROM table_${index};`,
    );
    const pieces = piecesOf(`\`\`\`\`sql\n${lines.join('\n')}\n\`\`\`\``);
    expect(pieces.length).toBeGreaterThan(1);
    const codes = pieces.map((piece) => {
      const nodes = parseMarkdown(piece)?.children ?? [];
      expect(nodes).toHaveLength(1);
      const [code] = nodes;
      if (code?.type !== 'code') throw new Error('Not code.');
      expect(code.lang).toBe('sql');
      return code.value;
    });
    expect(codes.join('\n')).toBe(lines.join('\n'));
  });

  it('whose fence was never closed is closed', () => {
    expect(piecesOf('Text\n\n```js\nfoo()')).toEqual(['Text\n\n```js\nfoo()\n```']);
  });

  it('with a long table repeats the head', () => {
    const rows = Array.from({ length: 600 }, (_, index) => `| w${index}w | ${'cell '.repeat(6)} |`);
    const pieces = piecesOf(`| Name | Value |\n| --- | ---: |\n${rows.join('\n')}`);
    expect(pieces.length).toBeGreaterThan(1);
    for (const piece of pieces) {
      expect(piece.startsWith('| Name | Value |\n| --- | ---: |\n')).toBe(true);
      expect(parseMarkdown(piece)?.children.map((node) => node.type)).toEqual(['table']);
    }
    expect(found(pieces)).toEqual(rows.map((_, index) => index));
  });

  it('keeps a link whole when a long paragraph is cut', () => {
    const link = '[a link with several words in it](https://x.y/z)';
    const pieces = split(`${'word '.repeat(15)}${link} ${'more '.repeat(15)}`, 100);
    expect(pieces.some((piece) => piece.includes(link))).toBe(true);
  });

  it('keeps a long paragraph a paragraph in every piece', () => {
    for (const piece of split('seven - # 1. '.repeat(60), 100)) {
      expect(parseMarkdown(piece)?.children.map((node) => node.type)).toEqual(['paragraph']);
    }
  });

  it('becomes a file beyond five messages, byte for byte, with its beginning as the comment', () => {
    const answer = `Summary <!here>.\n\n${'lorem ipsum '.repeat(6_000)}`;
    expect(cutAnswer(answer)).toEqual({ kind: 'file' });
    const file = answerFile({ answer, runId: RUN_ID });
    expect(file.content).toBe(answer);
    expect(file.name).toBe('answer-1a2b3c4d.md');
    expect(file.comment).toContain('Summary &lt;!here&gt;.');
    expect(file.comment.length).toBeLessThan(700);
  });

  it('numbers its parts for notifications', () => {
    expect(messagesOf('word '.repeat(5_000))[1]?.text).toMatch(/^\(part 2 of 3\) word/);
  });

  it('made to hurt the parser is drawn all the same', () => {
    for (const answer of [
      '>'.repeat(50_000),
      '['.repeat(50_000),
      `${'- '.repeat(10_000)}x <!channel>`,
      `${'!['.repeat(5_000)}<!channel>${'](x)'.repeat(5_000)}`,
      `${'['.repeat(5_000)}<!channel>${'](x)'.repeat(5_000)}`,
      `${'a\n=\n'.repeat(12_000)}<!channel>`,
      `${'\n'.repeat(20_000)}x`,
    ]) {
      const cut = cutAnswer(answer);
      const drawn = cut.kind === 'pieces' ? messagesOf(answer) : answerFile({ answer, runId: RUN_ID }).comment;
      expect(JSON.stringify(drawn)).not.toContain('<!channel>');
    }
  });
});

describe('splitting Markdown', () => {
  it('loses nothing, keeps the order, keeps to the limit and leaves every fence balanced', () => {
    fc.assert(
      fc.property(
        fc.array(anyBlock(), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 300, max: 900 }),
        (makers, max) => {
          let next = 0;
          const blocks = makers.map(({ count, make }) => {
            next += count;
            return make(words(next - count, count));
          });
          const source = blocks.join('\n\n');
          const pieces = split(source, max);
          expect(found(pieces)).toEqual(words(0, next).map((_, index) => index));
          for (const piece of pieces) {
            expect(piece.length).toBeLessThanOrEqual(max);
            expect(hasOpenFence(piece)).toBe(false);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('breaks a mention that was code until the code was cut', () => {
    for (const piece of piecesOf(`\`${'word <!channel> '.repeat(1_500)}\``))
      expect(pingsOutsideCode(piece)).toEqual([]);
  });

  it('leaves no mention in any piece', () => {
    const risky = fc.constantFrom(
      '`<!channel> ',
      '<!here> ',
      '`',
      'word '.repeat(500),
      '```\n',
      '@everyone ',
      '\n\n',
      '> ',
      '- ',
    );
    fc.assert(
      fc.property(fc.array(risky, { minLength: 1, maxLength: 60 }), (parts) => {
        const answer = parts.join('');
        if (cutAnswer(answer).kind !== 'pieces') return;
        for (const piece of piecesOf(answer)) expect(pingsOutsideCode(piece)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

function anyBlock() {
  const make = fc.constantFrom(
    (all: string[]) => all.join(' '),
    (all: string[]) => `## ${all.join(' ')}`,
    (all: string[]) => `\`\`\`ts\n${all.join('\n')}\n\`\`\``,
    (all: string[]) => `~~~~\n${all.join(' ')}\n~~~~`,
    (all: string[]) => all.map((word) => `- ${word}`).join('\n'),
    (all: string[]) => all.map((word, index) => `${index + 1}. ${word}`).join('\n\n'),
    (all: string[]) =>
      `- ${all.slice(0, 3).join(' ')}\n\n  \`\`\`py\n${all
        .slice(3)
        .map((word) => `  ${word}`)
        .join('\n')}\n  \`\`\``,
    (all: string[]) => `1. Step\n${all.map((word) => `   - ${word}`).join('\n')}`,
    (all: string[]) => all.map((word) => `> ${word}`).join('\n'),
    (all: string[]) => `> \`\`\`\n${all.map((word) => `> ${word}`).join('\n')}\n> \`\`\``,
    (all: string[]) => `| h |\n| - |\n${all.map((word) => `| ${word} |`).join('\n')}`,
    (all: string[]) => `<div>\n${all.join('\n')}\n</div>`,
    (all: string[]) => `    ${all.join('\n    ')}`,
  );
  return fc.record({ count: fc.integer({ min: 1, max: 120 }), make });
}

/** A code block that runs to the end of the piece without a closing fence. */
function hasOpenFence(piece: string): boolean {
  const tree = parseMarkdown(piece);
  if (!tree) return false;
  return [...nodesOf(tree)].some((node) => {
    if (node.type !== 'code') return false;
    const text = piece.slice(node.position?.start.offset, node.position?.end.offset);
    const mark = /^(`{3,}|~{3,})/.exec(text)?.[1];
    return mark !== undefined && !new RegExp(`\\n[ \\t>]*${mark[0]}{${mark.length},}\\s*$`).test(text);
  });
}

function pingsOutsideCode(piece: string): string[] {
  const tree = parseMarkdown(piece);
  const texts = tree ? [...nodesOf(tree)] : [];
  return texts.flatMap((node) =>
    node.type === 'text' || node.type === 'html'
      ? (node.value.match(/<!(?!--)|<@|@(?:here|channel|everyone)\b/g) ?? [])
      : [],
  );
}
