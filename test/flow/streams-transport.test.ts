import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/sandbox/planner/scenario.ts';
import { buttonsOf, textOf, watchRuns } from '../support/watched-runs.ts';
import { openStage, type Stage, useStage } from './stage.ts';

const DRIPPING: Scenario = {
  about: 'Signs of life for ever, and nothing else',
  legs: [[{ text: 'So far' }, { repeat: { times: 600, steps: [{ comment: 'alive' }, { waitMs: 1_000 }] } }]],
};

describe('a planner that does not answer in order', () => {
  const stage = useStage({ env: { PLANNER_IDLE_TIMEOUT_MS: '1000', RUN_TIMEOUT_MS: '8000' } });
  const runs = watchRuns(stage);

  const requestsWith = (words: string) =>
    stage.planner.requests.filter(({ body }) => JSON.stringify(body).includes(words));

  it.each([
    ['error-429-then-ok', 'The planner is taking no more requests for now'],
    ['error-503-then-ok', 'The planner could not be reached'],
  ])('%s is asked again, visibly, and answers', async (scenario, words) => {
    const thread = await runs.ask(`retry ${scenario}`, scenario);
    await runs.until(thread, 'Done');
    const versions = runs.statusOf(thread).versions.map(textOf);
    expect(versions.some((version) => version.includes(`${words}. Trying again in`))).toBe(true);
    expect(requestsWith(`retry ${scenario}`)).toHaveLength(2);
    expect(await runs.replies(thread)).toHaveLength(1);
  });

  it('with a Retry-After is not asked again before it', async () => {
    const thread = await runs.ask('patient retry', 'error-429-then-ok');
    await runs.until(thread, 'Done');
    const [refused, again] = requestsWith('patient retry');
    expect((again?.receivedAt ?? 0) - (refused?.endedAt ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  it('falls silent after a while of work, fails the run as silent and is left', async () => {
    const thread = await runs.ask('fall silent', 'silent');
    await runs.until(thread, 'Failed');
    const status = runs.statusOf(thread);
    expect(textOf(status)).toContain('fell silent for too long');
    expect(buttonsOf(status)).toEqual(['Start over']);
    expect(requestsWith('fall silent').map(({ state }) => state)).toEqual(['aborted']);
  });

  it('works longer than a run may fails the run with what had arrived', async () => {
    stage.planner.use(DRIPPING, { times: 1, match: 'drip on' });
    const { slack } = stage;
    const thread = await slack.mention({ text: `<@${slack.setup.bot.userId}> drip on` });
    await runs.until(thread, 'Failed');
    const shown = textOf(runs.statusOf(thread));
    expect(shown).toContain('longer than a run may take');
    expect(shown).toContain('*Partial, not an answer:*\nSo far');
    expect(requestsWith('drip on').map(({ state }) => state)).toEqual(['aborted']);
  });

  it.each([
    ['cut-mid-event', 'Interrupted'],
    ['error-500', 'Failed'],
    ['error-504-html', 'Failed'],
  ])('%s is never asked again by itself', async (scenario, state) => {
    const thread = await runs.ask(`once ${scenario}`, scenario);
    await runs.until(thread, state);
    const probe = await runs.ask(`after ${scenario}`, 'answer-only');
    await runs.until(probe, 'Done');
    expect(requestsWith(`once ${scenario}`)).toHaveLength(1);
  });
});

describe('a run that was cut', () => {
  const stage = useStage();
  const runs = watchRuns(stage);

  it.each(['cut-mid-event', 'cut-clean'])('by %s goes on by Resume in its session, once', async (scenario) => {
    const { slack, planner } = stage;
    const thread = await runs.ask(`resume ${scenario}`, scenario);
    await runs.until(thread, 'Interrupted');
    const { ts } = runs.statusOf(thread);
    await Promise.all([
      slack.click({ messageTs: ts, text: 'Resume' }),
      slack.click({ messageTs: ts, text: 'Resume', stale: true }),
    ]);
    await planner.waitFor((requests) => requests.filter((request) => request.scenario === scenario).length === 2);
    const [first, resume] = planner.requests.filter((request) => request.scenario === scenario);
    expect(resume?.sessionId).toBe(first?.sessionId);
    expect(planner.refused).toEqual([]);
    await slack.waitFor(() => !buttonsOf(runs.statusOf(thread)).includes('Stop'));
  });
});

describe('a planner that cannot be reached', () => {
  let stage: Stage;
  let runs: ReturnType<typeof watchRuns>;
  beforeAll(async () => {
    stage = await openStage();
    runs = watchRuns(stage);
    await stage.planner.close();
  });
  afterAll(async () => {
    await stage.close();
  });

  it.each([
    ['refuses the connection', {}],
    ['has no address', { ASI_ONE_BASE_URL: 'http://planner.invalid/v1' }],
  ])('because it %s is tried again, visibly, before the run fails', async (_why, env) => {
    await stage.stopBot();
    await stage.startBot(env);
    const thread = await runs.ask('nobody there', 'happy');
    await runs.until(thread, 'Failed');
    const status = runs.statusOf(thread);
    const attempts = status.versions.flatMap((version) => /attempt (\d)/.exec(textOf(version))?.[1] ?? []);
    expect(attempts.at(-1)).toBe('5');
    expect(attempts).toEqual(attempts.toSorted());
    expect(textOf(status)).toContain('The planner could not be reached');
    expect(buttonsOf(status)).toEqual(['Start over']);
  });
});
