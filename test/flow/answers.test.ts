import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/sandbox/planner/scenario.ts';
import { textOf, watchRuns } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const paragraph = (number: number): string =>
  `Paragraph ${number}. ${'It says a great many things. '.repeat(30)}`.trim();

const answering = (text: string): Scenario => ({
  about: 'One answer',
  legs: [[{ text, pieces: 20 }, { finish: 'stop' }, { done: true }]],
});

describe('an answer', () => {
  const stage = useStage();
  const runs = watchRuns(stage);

  /** Has the planner answer with this text. */
  async function askFor(words: string, answer: string) {
    const { slack, planner } = stage;
    planner.use(answering(answer), { times: 1, match: words });
    const thread = await slack.mention({ text: `<@${slack.setup.bot.userId}> ${words}` });
    await runs.until(thread, 'Done');
    return thread;
  }

  const markdownOf = (message: { blocks: readonly object[] } | undefined): string =>
    (message?.blocks ?? []).map((block) => ('text' in block ? String(block.text) : '')).join('');

  it('with a table, code and links is the planner’s Markdown, byte for byte', async () => {
    const text = [
      '# Result',
      '',
      '| a | b |',
      '| --- | ---: |',
      '| 1 < 2 | x & y |',
      '',
      '```ts',
      'const a = b<c>(d) && e; // @vercel/postgres <!channel>',
      '```',
      '',
      'See https://hackmd.io/@jkyang/abc?x=1&y=2#z, `@scope/name`, me@here.com and [this](https://example.com/a_(b)).',
    ].join('\n');
    const thread = await askFor('with a table', text);
    const [answer] = await runs.replies(thread);
    expect(answer?.blocks.map((block) => block.type)).toEqual(['markdown']);
    expect(markdownOf(answer)).toBe(text);
    expect(answer?.text).toContain('Result');
    expect(answer?.unfurlLinks).toBe(false);
  });

  it('of several messages comes whole, in order and once', async () => {
    const text = Array.from({ length: 40 }, (_, number) => paragraph(number)).join('\n\n');
    const thread = await askFor('several messages', text);
    await stage.slack.waitFor(() => runs.inThread(thread).some((message) => textOf(message).includes('Paragraph 39.')));
    const answers = await runs.replies(thread);
    expect(answers.length).toBeGreaterThan(2);
    expect(answers.map(markdownOf).join('\n\n')).toBe(text);
    expect(answers[1]?.text).toMatch(/^\(part 2 of \d\) Paragraph/);
  });

  it('that is one long fence is cut into fences that each have their language', async () => {
    const thread = await runs.ask('long sql', 'sql-answer');
    await runs.until(thread, 'Done');
    const answers = await runs.replies(thread, 2);
    const pieces = answers.map(markdownOf);
    for (const piece of pieces) expect(piece).toMatch(/^```sql\n[\s\S]*\n```$/);
    const lines = pieces.flatMap((piece) => piece.split('\n').slice(1, -1));
    expect(lines).toHaveLength(220);
    expect(lines.map((line) => /SELECT (\d+) AS step/.exec(line)?.[1])).toEqual(
      Array.from({ length: 220 }, (_, index) => String(index + 1)),
    );
  });

  it('of more than five messages is a file with the whole text, and one message', async () => {
    const { slack, planner } = stage;
    const thread = await runs.ask('very long', 'long-answer');
    await runs.until(thread, 'Done');
    const answers = await runs.replies(thread);
    expect(answers).toHaveLength(1);
    const [file] = answers[0]?.files ?? [];
    expect(file?.name).toMatch(/\.md$/);
    const said = planner.requests.find((request) => request.scenario === 'long-answer')?.text;
    expect(said?.length).toBeGreaterThan(60_000);
    expect(Buffer.from(file?.content ?? '').toString('utf8')).toBe(said);
    expect(slack.refused()).toEqual([]);
  });

  it('with text around the sizes where Slack cuts is never refused', async () => {
    for (const length of [2_999, 3_001, 10_999, 11_001, 12_000, 12_001]) {
      const word = `size-${length} `;
      const text = word
        .repeat(Math.ceil(length / word.length))
        .slice(0, length)
        .trim();
      const thread = await askFor(`cut at ${length}`, text);
      const answers = await runs.replies(thread, length > 11_000 ? 2 : 1);
      expect(answers.map(markdownOf).join(' ').replace(/\s+/g, ' ')).toBe(text);
    }
    expect(stage.slack.refused()).toEqual([]);
  });

  it('that is only blanks says that there was none', async () => {
    const thread = await askFor('only blanks', ' \n\n ');
    const [answer] = await runs.replies(thread);
    expect(answer?.text).toContain('it wrote no answer');
  });
});
