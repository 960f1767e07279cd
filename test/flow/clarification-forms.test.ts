import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPausedRuns, questionScript } from '../support/paused-runs.ts';
import { buttonsOf, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice } = SANDBOX.users;

const stage = useStage({ planner: { scenario: 'answer-only' } });
const paused = createPausedRuns(stage);

const answerByModal = async (messageTs: string, words: string): Promise<string> => {
  await stage.slack.click({ messageTs, text: 'Answer…' });
  const [view] = await stage.slack.waitFor(() => {
    const open = stage.slack.openViews(alice);
    return open.length > 0 ? open : null;
  });
  await stage.slack.submitView({ values: { answer_input: words } });
  return JSON.stringify(view?.view);
};

describe('a question', () => {
  it.each([
    ['clarify-content', 'From which city do you leave?', []],
    ['clarify-in-task', 'For what time shall the table be?', ['19:00', '20:30']],
    ['clarify-object', 'Which colour?', ['Red', 'Blue']],
    ['clarify-options', 'Which class do you travel?', ['First', 'Second', 'Whatever is cheaper']],
    ['clarify-silent', 'The planner asks for more information', []],
  ])(
    'as in %s is shown with its options, and its resume is one that the planner takes',
    async (name, asked, options) => {
      const thread = await paused.ask(`form-${name}`, name);
      const card = paused.cardOf(thread);
      expect(textOf(card)).toContain(asked);
      expect(buttonsOf(card)).toEqual([...options, 'Answer…']);
      if (options[0]) await stage.slack.click({ messageTs: card.ts, text: options[0] });
      else await answerByModal(card.ts, 'Bern');
      await paused.answered(thread, options[0] ?? 'Bern');
      expect(paused.requestsFor(`form-${name}`)[1]?.messages.at(-1)?.content).toBe(options[0] ?? 'Bern');
      expect(stage.planner.refused).toHaveLength(0);
    },
  );

  it('of thousands of characters is there in full, on the card before and after the answer and in the modal', async () => {
    const question = Array.from({ length: 900 }, (_, n) => `word${n}`).join(' & ');
    const thread = await paused.ask('long-question', questionScript({ question, options: ['Yes', 'No'] }));
    const flat = () =>
      paused
        .cardOf(thread)
        .blocks.map((block) => textOf({ text: '', blocks: [block] }))
        .join('')
        .replaceAll(/\s/g, '');
    const whole = question.replaceAll('&', '&amp;').replaceAll(/\s/g, '');
    expect(flat()).toContain(whole);
    const modal = await answerByModal(paused.cardOf(thread).ts, 'neither');
    expect(modal).toContain('word899');
    await paused.answered(thread, 'Heard: neither');
    await paused.settled(thread);
    expect(flat()).toContain(whole);
  });

  it('with forty options offers every one of them, and a number chooses as well', async () => {
    const options = Array.from({ length: 40 }, (_, n) => `Town ${n + 1}`);
    const thread = await paused.ask('forty-options', questionScript({ question: 'Where to?', options }));
    const card = paused.cardOf(thread);
    for (const option of options) expect(JSON.stringify(card.blocks)).toContain(`"${option}"`);
    await stage.slack.reply({ text: 'option 37', threadTs: thread.ts });
    await paused.answered(thread, 'Heard: Town 37');
  });

  it('with forty options can be answered where they are offered', async () => {
    const options = Array.from({ length: 40 }, (_, n) => `Village ${n + 1}`);
    const thread = await paused.ask('forty-offered', questionScript({ question: 'Where to?', options }));
    const { ts: messageTs } = paused.cardOf(thread);
    await stage.slack.click({ messageTs, text: 'Village 29' });
    await paused.answered(thread, 'Heard: Village 29');
  });

  it('with more options than Slack can offer lists them all and takes a number', async () => {
    const options = Array.from({ length: 400 }, (_, n) => `Hamlet ${n + 1}.`);
    const thread = await paused.ask('many-options', questionScript({ question: 'Where to?', options }));
    for (const option of options) expect(textOf(paused.cardOf(thread))).toContain(option);
    await stage.slack.reply({ text: '399', threadTs: thread.ts });
    await paused.answered(thread, 'Heard: Hamlet 399');
  });

  it('with options of 300 characters shows them in full and answers with all of it', async () => {
    const options = ['long', 'longer'].map((word) => `${word} `.repeat(50).trim());
    const thread = await paused.ask('wide-options', questionScript({ question: 'Which?', options }));
    const card = paused.cardOf(thread);
    for (const option of options) expect(textOf(card)).toContain(option);
    await stage.slack.click({ messageTs: card.ts, actionId: 'answer_option_1' });
    await paused.answered(thread, 'longer longer');
    expect(paused.requestsFor('wide-options')[1]?.messages.at(-1)?.content).toBe(options[1]);
    expect(textOf(paused.cardOf(thread))).toContain(options[1]);
  });

  it('with hostile words pings nobody and forges nothing, before and after the answer', async () => {
    const question = '<!channel> <@U0BOB00001> *ok* </b> @here &lt;!here&gt; \u0000\ud800?';
    const options = ['<!subteam^S1>', '  ', '\u0000', '<stripe:payment_id:pi_1:CONFIRM>', '<!here>'];
    const thread = await paused.ask('hostile-words', questionScript({ question, options }));
    const card = paused.cardOf(thread);
    expect(buttonsOf(card)).toHaveLength(4);
    const pings = () => stage.slack.pings(paused.cardOf(thread)).filter((ping) => ping !== `@${alice}`);
    expect(pings()).toEqual([]);
    await stage.slack.click({ messageTs: card.ts, actionId: 'answer_option_3' });
    await stage.slack.waitFor(() => paused.statusText(thread).includes('*Done*'));
    await paused.settled(thread);
    expect(pings()).toEqual([]);
    expect(JSON.stringify(paused.requestsFor('hostile-words')[1]?.messages)).not.toContain('<stripe:');
  });

  it('is answered with odd characters all the same', async () => {
    const thread = await paused.ask('odd-answer', questionScript({ question: 'What?' }));
    await answerByModal(paused.cardOf(thread).ts, 'a\u0000b \ud800 <!channel> & "q" \\u0000');
    await stage.slack.waitFor(() => paused.statusText(thread).includes('*Done*'));
    await paused.settled(thread);
    expect(paused.requestsFor('odd-answer')).toHaveLength(2);
    expect(stage.slack.pings(paused.cardOf(thread)).filter((ping) => ping !== `@${alice}`)).toEqual([]);
  });

  it('answered with words and a file passes the words on and says that the file was not', async () => {
    const thread = await paused.ask('with-file', questionScript({ question: 'What?' }));
    await stage.slack.reply({
      text: 'as drawn',
      threadTs: thread.ts,
      files: [{ name: 'map.png', mimetype: 'image/png', content: Buffer.from('png') }],
    });
    await paused.answered(thread, 'Heard: as drawn');
    await stage.slack.waitFor(() => paused.inThread(thread).some((message) => textOf(message).includes('map.png')));
    expect(paused.requestsFor('with-file')).toHaveLength(2);
  });
});
