import { describe, expect, it } from 'vitest';
import { textOf, watchRuns } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const lines: string[] = [];
const log = { write: (line: string) => void lines.push(line) };

/** What the log says of an event, about the run that came to it last. */
function logged(event: string): Record<string, unknown> {
  const line = lines.findLast((candidate) => candidate.includes(`"${event}"`));
  if (!line) throw new Error(`Nothing was logged as ${event}`);
  return JSON.parse(line);
}

describe('the log of a failed run', () => {
  const stage = useStage({ log });
  const runs = watchRuns(stage);

  it('names the status and the reason, without the key', async () => {
    stage.planner.use(
      {
        about: 'Refused with a reason',
        legs: [[{ status: 400, body: { error: { message: `bad field, key ${stage.planner.apiKey} is fine` } } }]],
      },
      { times: 1, match: 'refused outright' },
    );
    const { slack } = stage;
    const thread = await slack.mention({ text: `<@${slack.setup.bot.userId}> refused outright` });
    await runs.until(thread, 'Failed');
    const failed = logged('leg_failed');
    expect(failed).toMatchObject({ failure: 'planner_error', leg: 1, detail: expect.stringContaining('400') });
    expect(failed.detail).toContain('bad field');
    expect(JSON.stringify(failed)).not.toContain(stage.planner.apiKey);
    expect(failed.runId).toBe(logged('run_ended').runId);
    expect(failed.thread).toContain(thread.ts);
    expect(textOf(runs.statusOf(thread))).not.toContain('bad field');
  });

  it('says where a stream was cut', async () => {
    const thread = await runs.ask('cut in the middle', 'cut-mid-event');
    await runs.until(thread, 'Interrupted');
    expect(logged('leg_failed')).toMatchObject({ failure: 'stream_cut', detail: expect.any(String) });
  });
});

describe('a status message that somebody deleted', () => {
  const stage = useStage();
  const runs = watchRuns(stage);

  /** A run at the planner's gate whose status message is gone. */
  async function askAndDelete(words: string) {
    const { slack, planner } = stage;
    const thread = await runs.ask(words, 'held');
    await runs.until(thread, 'Working');
    await planner.waitFor(() => planner.requests.some(({ body }) => JSON.stringify(body).includes(words)));
    const { ts } = runs.statusOf(thread);
    await slack.deleteMessage({ channel: thread.channel, ts });
    return thread;
  }

  it('is posted again, once, when its run ends without an answer', async () => {
    const thread = await askAndDelete('deleted before a stop');
    await stage.slack.reply({ text: 'stop', threadTs: thread.ts });
    await stage.slack.waitFor(() => runs.inThread(thread).some((message) => textOf(message).includes('*Stopped*')));
    expect(runs.inThread(thread)).toHaveLength(1);
  });

  it('stays gone when its run is done: the answer tells', async () => {
    const thread = await askAndDelete('deleted before the answer');
    stage.planner.release('held');
    await stage.slack.waitFor(() => runs.inThread(thread).some((message) => textOf(message).includes('The gate')));
    const probe = await runs.ask('another run', 'happy');
    await runs.until(probe, 'Done');
    expect(runs.inThread(thread)).toHaveLength(1);
  });
});

describe('a run whose thread is gone', () => {
  const stage = useStage();
  const runs = watchRuns(stage);

  it('stops before the planner has done anything', async () => {
    const { slack, planner } = stage;
    slack.failNext({ method: 'chat.postMessage', error: 'thread_not_found' });
    const thread = await runs.ask('nobody will see this', 'held');
    const isOver = () => planner.requests.every(({ endedAt }) => endedAt !== null && endedAt !== undefined);
    await slack.waitFor(() => slack.calls().some(({ method, ok }) => method === 'chat.postMessage' && !ok));
    const next = await runs.ask('and this', 'happy');
    await runs.until(next, 'Done');
    await planner.waitFor(isOver);
    expect(runs.inThread(thread).some((message) => textOf(message).includes('Working'))).toBe(false);
  });
});
