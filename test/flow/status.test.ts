import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { buttonsOf, editGapsMs, textOf, watchRuns } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const INTERVAL_MS = 300;

describe('a status message', () => {
  const stage = useStage({ env: { STATUS_EDIT_INTERVAL_MS: String(INTERVAL_MS) } });
  const runs = watchRuns(stage);

  it('is edited no oftener than its interval, the final edit included', async () => {
    const { slack } = stage;
    const asked = await runs.ask('work steadily', 'slow');
    await runs.until(asked, 'Done');
    const status = runs.statusOf(asked);
    expect(status.versions.length).toBeGreaterThan(2);
    expect(Math.min(...editGapsMs(status))).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(textOf(status)).toContain('100 of 100 tasks');
    expect(slack.refused()).toEqual([]);
  });

  it('keeps its interval across pauses, decisions and legs', async () => {
    const { slack } = stage;
    const asked = await runs.ask('ask me twice', 'clarify-twice');
    for (const choice of ['May', 'Friday']) {
      await runs.until(asked, 'Waiting for an answer');
      const card = await slack.waitFor(() =>
        runs.inThread(asked).find((message) => buttonsOf(message).includes(choice)),
      );
      await slack.click({ messageTs: card.ts, text: choice });
    }
    await runs.until(asked, 'Done');
    const gaps = editGapsMs(runs.statusOf(asked));
    expect(gaps.length).toBeGreaterThan(0);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(INTERVAL_MS);
  });

  it('is one message, with state, progress, time, plan, agent and Stop, and goes without Stop when all is done', async () => {
    const { planner } = stage;
    const asked = await runs.ask('wait at the gate', 'held');
    await runs.until(asked, 'Working');
    await stage.slack.waitFor(() => runs.shows(asked, '0 of 1 tasks'));
    const working = runs.statusOf(asked);
    expect(textOf(working)).toMatch(/\*Working\* · 0 of 1 tasks · \d+ s/);
    expect(textOf(working)).toContain('Now: Wait at the gate');
    expect(working.text).toMatch(/^Working, 0 of 1 tasks, \d+ s\. Now: Wait at the gate$/);
    expect(buttonsOf(working)).toEqual(['Stop']);
    planner.release('held');
    await runs.until(asked, 'Done');
    const [answer] = await runs.replies(asked);
    expect(answer && textOf(answer)).toContain('The gate was opened.');
    expect(buttonsOf(runs.statusOf(asked))).toEqual([]);
    expect(runs.inThread(asked)).toHaveLength(2);
  });

  it('moves its elapsed time while the planner is silent', async () => {
    const { slack, planner } = stage;
    const asked = await runs.ask('be silent', 'silent');
    await slack.waitFor(() => runs.shows(asked, 'Wait for an agent'));
    const before = runs.statusOf(asked).versions.length;
    await slack.waitFor(() => runs.statusOf(asked).versions.length > before);
    const [earlier, now] = runs.statusOf(asked).versions.slice(-2);
    expect(secondsIn(now?.text)).toBeGreaterThan(secondsIn(earlier?.text));
    planner.release('silent');
    await runs.until(asked, 'Done');
  });

  it('carries text and blocks together in every edit, unable to unfurl or to parse names', async () => {
    const { slack } = stage;
    const asked = await runs.ask('compare', 'happy');
    await runs.until(asked, 'Done');
    for (const version of runs.statusOf(asked).versions) {
      expect(version.blocks.length).toBeGreaterThan(0);
      expect(version.text).toMatch(/^\w/);
      expect([version.parse, version.linkNames]).toEqual(['none', false]);
    }
    for (const call of slack.calls('chat.postMessage')) {
      expect([String(call.args.unfurl_links), String(call.args.unfurl_media)]).toEqual(['false', 'false']);
    }
  });

  it('that a person deleted is not posted again, and the answer comes all the same', async () => {
    const { slack, planner } = stage;
    const asked = await runs.ask('lose the status', 'held');
    await slack.waitFor(() => runs.shows(asked, '0 of 1 tasks'));
    const { ts } = runs.statusOf(asked);
    slack.failNext({ method: 'chat.update', error: 'message_not_found', times: 1 });
    await slack.deleteMessage({ ts });
    planner.release('held');
    await slack.waitFor(() => runs.inThread(asked).some((message) => textOf(message).includes('The gate was opened.')));
    expect(runs.inThread(asked)).toHaveLength(1);
  });
});

function secondsIn(text = ''): number {
  return Number(/(\d+) s/.exec(text)?.[1]);
}

describe('a status message whose edits are far apart', () => {
  const stage = useStage({ env: { STATUS_EDIT_INTERVAL_MS: '8000', SHUTDOWN_GRACE_MS: '0' } });
  const runs = watchRuns(stage);

  it('tells of a stop at once', async () => {
    const { slack, planner } = stage;
    const asked = await runs.ask('stop me', 'held');
    await runs.until(asked, 'Working');
    await planner.waitFor((requests) => requests.some(({ planEvents }) => planEvents > 0));
    const clickedAt = Date.now();
    await slack.click({ messageTs: runs.statusOf(asked).ts, text: 'Stop' });
    await runs.until(asked, 'Stopped');
    expect(Date.now() - clickedAt).toBeLessThan(2_500);
  });

  it('shows the interruption before a process that stops is gone', async () => {
    const { planner } = stage;
    const asked = await runs.ask('interrupt me', 'held');
    await runs.until(asked, 'Working');
    await planner.waitFor((requests) => (requests[1]?.planEvents ?? 0) > 0);
    await stage.stopBot();
    expect(textOf(runs.statusOf(asked))).toContain('*Interrupted*');
    expect(buttonsOf(runs.statusOf(asked))).toEqual(['Resume', 'Start over', 'Close']);
    await stage.startBot();
  });
});

describe('a workspace where one run at a time may work', () => {
  const stage = useStage({ env: { WORKER_CONCURRENCY: '1' } });
  const runs = watchRuns(stage);

  it('shows every request its one status message, however many wait for the one that runs', async () => {
    const { slack, planner } = stage;
    const asked = await Promise.all([1, 2, 3, 4, 5].map((number) => runs.ask(`request ${number}`, 'held')));
    await slack.waitFor(() => asked.every((thread) => runs.inThread(thread).length === 1));
    expect(planner.requests.length).toBeLessThanOrEqual(1);
    planner.release('held', 5);
    for (const thread of asked) await runs.until(thread, 'Done');
    for (const thread of asked) expect((await runs.replies(thread)).length).toBe(1);
    expect(planner.requests).toHaveLength(5);
  });
});

describe('a workspace that does not know plan blocks', () => {
  const stage = useStage({ slack: { rejectPlanBlocks: true } });
  const runs = watchRuns(stage);

  it('shows plans as sections, and is asked for plan blocks no more once it has refused', async () => {
    const { slack } = stage;
    const first = await runs.ask('compare', 'happy');
    await runs.until(first, 'Done');
    expect(textOf(runs.statusOf(first))).toContain('5 of 5 tasks');
    const refused = () => slack.calls('chat.update').filter((call) => call.error === 'invalid_blocks').length;
    const before = refused();
    expect(before).toBeGreaterThan(0);
    const second = await runs.ask('compare again', 'plan-500-tasks', SANDBOX.channels.random);
    await runs.until(second, 'Done');
    expect(textOf(runs.statusOf(second))).toContain('500 of 500 tasks');
    expect(refused()).toBe(before);
  });
});
