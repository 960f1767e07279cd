import { describe, expect, it } from 'vitest';
import type { Leg, Scenario } from '../../src/sandbox/planner/scenario.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPausedRuns, questionScript } from '../support/paused-runs.ts';
import { buttonsOf, hasButtons, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice } = SANDBOX.users;
const MONTHS = questionScript({ question: 'Which month?', options: ['May', 'June'] });

const stage = useStage({ planner: { scenario: 'answer-only' } });
const paused = createPausedRuns(stage);

/** A question whose resume meets this first. */
function resumeMeets(leg: Leg): Scenario {
  const [first = [], last = []] = MONTHS.legs;
  return { about: 'a resume that fails once', legs: [first, leg, last] };
}

describe('a decision whose resume fails', () => {
  it.each([
    ['is refused', 'resume-refused', [{ status: 500, body: { error: { message: 'boom' } } }], 'Failed'],
    ['is refused for its key', 'resume-key', [{ status: 401, body: { error: { message: 'no' } } }], 'Failed'],
    ['breaks off', 'resume-cut', [{ cut: 'destroy' }], 'Interrupted'],
    ['is not understood', 'resume-422', [{ status: 422, body: { error: { message: 'no' } } }], 'Failed'],
  ] satisfies [string, string, Leg, string][])(
    'because it %s says so on card and status message, keeps the decision, and goes on when it is resumed',
    async (_, words, leg, state) => {
      const { slack } = stage;
      const thread = await paused.ask(words, resumeMeets(leg));
      await slack.click({ messageTs: paused.cardOf(thread).ts, text: 'June' });
      await slack.waitFor(() => paused.statusText(thread).includes(`*${state}*`));
      expect(paused.statusText(thread)).toContain('“June”');
      await slack.waitFor(() => /did not (finish|go on)|could not go on/.test(textOf(paused.cardOf(thread))));
      expect(textOf(paused.cardOf(thread))).toContain(`<@${alice}> answered`);
      expect(hasButtons(paused.cardOf(thread))).toBe(false);
      const [status] = paused.inThread(thread);
      expect(status && buttonsOf(status)).toEqual(['Resume', 'Start over', 'Close']);
      await slack.click({ messageTs: status?.ts ?? '', text: 'Resume' });
      await paused.answered(thread, 'Heard: June');
      const [, refused, resumed, ...more] = paused.requestsFor(words);
      expect(more).toHaveLength(0);
      expect(resumed?.sessionId).toBe(refused?.sessionId);
      expect(resumed?.messages).toEqual(refused?.messages);
      await slack.waitFor(() => !textOf(paused.cardOf(thread)).includes('go on'));
    },
  );

  it('because the planner is busy is tried again by itself', async () => {
    const { slack } = stage;
    const thread = await paused.ask('resume-busy', resumeMeets([{ status: 503, headers: { 'retry-after': '0' } }]));
    await slack.click({ messageTs: paused.cardOf(thread).ts, text: 'June' });
    await paused.answered(thread, 'Heard: June');
    expect(paused.requestsFor('resume-busy')).toHaveLength(3);
  });
});

describe('a restart', () => {
  it('between card and click changes nothing: the first click works', async () => {
    const { slack } = stage;
    const thread = await paused.ask('over-restart', MONTHS);
    await stage.stopBot();
    await stage.startBot();
    expect((await slack.click({ messageTs: paused.cardOf(thread).ts, text: 'May' })).acked).toBe(true);
    await paused.answered(thread, 'Heard: May');
    expect(paused.cardsOf(thread)).toHaveLength(1);
    expect(paused.requestsFor('over-restart').map(({ kind }) => kind)).toEqual(['start', 'resume']);
  });

  it('between opening the modal and sending it changes nothing', async () => {
    const { slack } = stage;
    const thread = await paused.ask('modal-restart', MONTHS);
    await slack.click({ messageTs: paused.cardOf(thread).ts, text: 'Answer…' });
    await slack.waitFor(() => slack.openViews(alice).length === 1);
    await stage.stopBot();
    await stage.startBot();
    const sent = await slack.submitView({ values: { answer_input: 'after all' } });
    expect(sent).toMatchObject({ acked: true, open: false });
    await paused.answered(thread, 'Heard: after all');
  });
});
