import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { editGapsMs, textOf, watchRuns } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const BUDGET_PER_MINUTE = 60;

describe('Slack that limits or fails calls', () => {
  const stage = useStage();
  const runs = watchRuns(stage);

  /** A run that waits at the planner's gate, its plan on show. */
  async function startHeld(words: string) {
    const asked = await runs.ask(words, 'held');
    await stage.slack.waitFor(() => runs.shows(asked, '0 of 1 tasks'));
    return asked;
  }

  const callsOf = (error: string) => stage.slack.calls('chat.update').filter((call) => call.error === error);

  it('gets no edit while a 429 lasts, and then the final state; the answer does not wait', async () => {
    const { slack, planner } = stage;
    const asked = await startHeld('limited edits');
    slack.limitNext({ method: 'chat.update', retryAfterS: 3 });
    planner.release('held');
    const [answer] = await runs.replies(asked);
    const limited = await slack.waitFor(() => slack.calls('chat.update').find((call) => call.status === 429));
    expect(answer && textOf(answer)).toContain('The gate was opened.');
    expect(answer?.atMs).toBeLessThan(limited.atMs + 2_500);
    await runs.until(asked, 'Done');
    const updates = slack.calls('chat.update');
    const next = updates[updates.findIndex((call) => call.status === 429) + 1];
    expect(next?.atMs).toBeGreaterThanOrEqual(limited.atMs + 3_000);
  });

  it('gets the answer once, after the wait it asked for, when posts are limited', async () => {
    const { slack, planner } = stage;
    const asked = await startHeld('limited posts');
    slack.limitNext({ method: 'chat.postMessage', retryAfterS: 1 });
    planner.release('held');
    await runs.until(asked, 'Done');
    const answers = await runs.replies(asked);
    expect(answers.map((answer) => answer.text)).toEqual(['The gate was opened.']);
  });

  it('gets each message once though the outcome of its post was lost', async () => {
    const { slack } = stage;
    slack.failNext({ method: 'chat.postMessage', dropConnection: true, afterApplying: true });
    const asked = await runs.ask('lost outcome', 'answer-only', SANDBOX.channels.random);
    await slack.waitFor(() => runs.inThread(asked).length === 2 && runs.shows(asked, '*Done*'));
    expect(runs.inThread(asked)).toHaveLength(2);
  });

  it('is edited again until it shows the final state, whatever fails for the moment', async () => {
    const { slack, planner } = stage;
    const faults = [
      { error: 'internal_error' },
      { error: 'fatal_error' },
      { error: 'service_unavailable' },
      { error: 'request_timeout' },
      { status: 500 },
      { status: 503 },
      { dropConnection: true },
      { dropConnection: true, afterApplying: true },
      { error: 'msg_too_long' },
      { error: 'invalid_blocks' },
    ];
    const asked = await Promise.all(faults.map((fault) => startHeld(`failing edits ${JSON.stringify(fault)}`)));
    for (const fault of faults) slack.failNext({ method: 'chat.update', ...fault });
    planner.release('held', faults.length);
    for (const thread of asked) {
      await slack.waitFor(() => runs.statusOf(thread).text.startsWith('Done'));
      expect(await runs.replies(thread)).toHaveLength(1);
    }
  });

  it('is not asked again when it refuses an edit for good, and the answer comes', async () => {
    const { slack, planner } = stage;
    const errors = ['message_not_found', 'cant_update_message', 'edit_window_closed', 'is_inactive'];
    const asked = await Promise.all(errors.map((error) => startHeld(`refused edits ${error}`)));
    for (const error of errors) slack.failNext({ method: 'chat.update', error });
    planner.release('held', errors.length);
    for (const thread of asked) {
      const [answer] = await runs.replies(thread);
      expect(answer?.text).toBe('The gate was opened.');
    }
    for (const error of errors) await slack.waitFor(() => callsOf(error).length > 0);
    const edited = errors.flatMap(callsOf).map((call) => call.args.ts);
    // Each message was edited once more at most: nothing follows a refusal.
    const updates = slack.calls('chat.update');
    for (const ts of edited) expect(updates.filter((call) => call.args.ts === ts).at(-1)?.ok).toBe(false);
  });

  it('hears nothing more of a run whose channel was archived, and other runs go on', async () => {
    const { slack, planner } = stage;
    const channel = SANDBOX.channels.private;
    const asked = await runs.ask('archived meanwhile', 'held', channel);
    await slack.waitFor(() => runs.shows(asked, '0 of 1 tasks'));
    slack.changeChannel(channel, { archived: true });
    const callsBefore = slack.calls().length;
    planner.release('held');
    await slack.waitFor(() =>
      slack
        .calls()
        .slice(callsBefore)
        .some((call) => call.error === 'is_archived'),
    );
    const other = await runs.ask('elsewhere', 'answer-only');
    await runs.until(other, 'Done');
    expect(runs.inThread(asked)).toHaveLength(1);
  });
});

describe('twenty runs at once', () => {
  const stage = useStage({
    env: { STATUS_EDIT_INTERVAL_MS: '200', WORKSPACE_EDITS_PER_MINUTE: String(BUDGET_PER_MINUTE) },
    planner: { speed: 2 },
  });
  const runs = watchRuns(stage);

  it('share the edits of the workspace, and each shows its final state', async () => {
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, number) => runs.ask(`run ${number}`, 'slow', SANDBOX.channels.random)),
    );
    await Promise.all(asked.map((thread) => runs.until(thread, 'Done')));
    const edits = asked.flatMap((thread) => runs.statusOf(thread).versions.slice(1, -1));
    const times = edits.map((edit) => edit.atMs).sort((left, right) => left - right);
    const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
    // A ninth of the minute's edits may come at once; the rest follow at their pace.
    expect(times.length).toBeLessThanOrEqual(BUDGET_PER_MINUTE / 9 + 1 + (spanMs * BUDGET_PER_MINUTE) / 60_000);
    for (const thread of asked) {
      expect(Math.min(200, ...editGapsMs(runs.statusOf(thread)))).toBeGreaterThanOrEqual(200);
      expect(await runs.replies(thread)).toHaveLength(1);
    }
  });
});
