import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sent } from '../../src/sandbox/slack/people/messages.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { botMessages } from '../support/bot-messages.ts';
import { type ChildStage, openChildStage } from './child-stage.ts';
import { shown } from './stage.ts';

const BOT = `<@${SANDBOX.botUserId}>`;
/** What the contract gives a restarted process to put things right. */
const REPAIRED = { timeoutMs: 60_000 };

type Thread = { channel: string; ts: string };

describe('a process that is killed and started again', { timeout: 90_000 }, () => {
  let stage: ChildStage;
  /** The threads as they stood when it was killed. */
  const threads: Record<string, Sent> = {};
  let acked: Sent[] = [];
  let messagesBefore = 0;

  const ask = (text: string, threadTs?: string) =>
    stage.slack.mention({ text: `${BOT} ${text}`, ...(threadTs === undefined ? {} : { threadTs }) });
  const own = (thread: Thread | undefined) => (thread ? botMessages(stage.slack, thread) : []);
  const shows = (thread: Thread | undefined, words: string) =>
    own(thread).some((message) => shown(message).includes(words));
  const askedAbout = (text: string) =>
    stage.planner.requests.filter(({ messages }) => JSON.stringify(messages).includes(text));
  const until = (predicate: () => boolean) => stage.slack.waitFor(predicate, REPAIRED);

  /** Runs in every state there is, all in one process; then SIGKILL, and a second process on the same data. */
  beforeAll(async () => {
    stage = await openChildStage();
    const { slack, planner } = stage;
    threads.answered = await ask('answered [scenario:answer-only]');
    await until(() => own(threads.answered).length === 2 && shows(threads.answered, 'Done'));
    threads.lost = await ask('post-lost [scenario:held]');
    await until(() => shows(threads.lost, 'Wait at the gate'));
    slack.failNext({ method: 'chat.postMessage', dropConnection: true, afterApplying: true });
    planner.release('held');
    await until(() => shows(threads.lost, 'The gate was opened.'));
    threads.streaming = await ask('streaming [scenario:held]');
    threads.waiting = await ask('waiting [scenario:answer-only]', threads.streaming.ts);
    threads.stopping = await ask('stopping [scenario:held]');
    threads.paused = await ask('paused [scenario:clarify-options]');
    threads.decided = await ask('decided [scenario:clarify-options]');
    await until(() => shows(threads.streaming, 'Wait at the gate') && shows(threads.stopping, 'Wait at the gate'));
    await until(() => own(threads.paused).length === 2 && own(threads.decided).length === 2);
    threads.parts = await ask('in-parts [scenario:sql-answer]');
    await until(() => own(threads.parts).length >= 2);
    await slack.click({ messageTs: own(threads.stopping)[0]?.ts ?? '', text: 'Stop' });
    await slack.click({ messageTs: own(threads.decided)[1]?.ts ?? '', text: 'Second' });
    const asked = Array.from({ length: 6 }, (_, index) => ask(`at-the-end-${index} [scenario:happy]`));
    await Promise.any(asked);
    await stage.kill();
    acked = (await Promise.all(asked)).filter((sent) => sent.acked);
    messagesBefore = own(threads.answered).length;
    await stage.start();
  }, 120_000);
  afterAll(async () => {
    await stage.close();
  });

  it('runs every request that it had acknowledged, and asks the planner once for each', async () => {
    expect(acked.length).toBeGreaterThan(0);
    for (const sent of acked) await until(() => shows(sent, 'Vendor comparison') || shows(sent, 'Interrupted'));
    for (let index = 0; index < 6; index += 1) {
      expect(askedAbout(`at-the-end-${index} `).length).toBeLessThanOrEqual(1);
    }
    for (const sent of acked) expect(own(sent).length).toBeLessThanOrEqual(2);
  });

  it('interrupts the run whose stream was cut, and offers to go on', async () => {
    await until(() => shows(threads.streaming, 'Interrupted'));
    const [status] = own(threads.streaming);
    for (const button of ['Resume', 'Start over', 'Close']) expect(status && shown(status)).toContain(button);
    expect(status && shown(status)).toContain('Wait at the gate');
    expect(askedAbout('streaming [').filter(({ scenario }) => scenario === 'held')).toHaveLength(1);
  });

  it('goes on with the request that waited in the same thread', async () => {
    await until(() => askedAbout('waiting [').length === 1);
    await until(() => own(threads.streaming).length === 3);
  });

  it('ends the run that was being stopped as stopped', async () => {
    await until(() => shows(threads.stopping, 'Stopped'));
    expect(shows(threads.stopping, 'Resume')).toBe(false);
  });

  it('takes the answer to a card from before on its first click', async () => {
    const { slack } = stage;
    const card = own(threads.paused)[1];
    expect((await slack.click({ messageTs: card?.ts ?? '', text: 'First' })).acked).toBe(true);
    await until(() => shows(threads.paused, 'Booked as you said: First'));
    const [first, second, ...more] = askedAbout('paused [');
    expect(more).toHaveLength(0);
    expect(second?.sessionId).toBe(first?.sessionId);
  });

  it('tells the planner once of a decision that was taken just before', async () => {
    // Far less than a dead process' job stays locked.
    await stage.slack.waitFor(
      () => shows(threads.decided, 'Booked as you said: Second') || shows(threads.decided, 'Interrupted'),
      { timeoutMs: 10_000 },
    );
    await until(() => !shows(threads.decided, 'answer_option'));
    expect(askedAbout('decided [').length).toBeLessThanOrEqual(2);
  });

  it('posts the answer once whose post had an unknown outcome', async () => {
    await until(() => shows(threads.lost, 'Done'));
    await until(() => stage.slack.calls('conversations.replies').some(({ args }) => args.ts === threads.lost?.ts));
    expect(own(threads.lost).filter((message) => shown(message).includes('The gate was opened.'))).toHaveLength(1);
    expect(own(threads.lost)).toHaveLength(2);
  });

  it('posts the parts of an answer that were missing, and none twice', async () => {
    await until(() => shows(threads.parts, 'Done') || shows(threads.parts, 'Interrupted'));
    await until(() => shows(threads.parts, 'Interrupted') || own(threads.parts).length >= 3);
    const texts = own(threads.parts).map((message) => shown(message));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('says nothing again where it had answered, whatever is delivered again', async () => {
    const again = await stage.slack.redeliver(threads.answered?.ts ?? '');
    expect(again.every((delivery) => delivery.acked)).toBe(true);
    await ask('after-all [scenario:answer-only]', threads.answered?.ts);
    await until(() => own(threads.answered).length === messagesBefore + 2);
    expect(askedAbout('answered [').filter(({ kind }) => kind === 'start')).toHaveLength(2);
  });

  it('leaves no status message that says it works', async () => {
    const { slack } = stage;
    const working = () =>
      slack.messages(SANDBOX.channels.general).filter((m) => /^(Working|Queued|Going on)/.test(m.text));
    await until(() => working().length === 0);
    expect(stage.planner.refused).toHaveLength(0);
  });
});

describe('a process that is killed at its first acknowledgement', { timeout: 60_000 }, () => {
  let stage: ChildStage;
  beforeAll(async () => {
    stage = await openChildStage();
  }, 60_000);
  afterAll(async () => {
    await stage.close();
  });

  it('begins with what it had acknowledged as soon as it is back', async () => {
    const asked = Array.from({ length: 6 }, (_, index) =>
      stage.slack.mention({ text: `${BOT} early-${index} [scenario:answer-only]` }),
    );
    await Promise.any(asked.map(async (sent) => (await sent).acked || Promise.reject(new Error('not acknowledged'))));
    await stage.kill();
    const acked = (await Promise.all(asked)).filter((sent) => sent.acked);
    await stage.start();
    const isShown = (sent: Sent) => botMessages(stage.slack, sent).length > 0;
    await stage.slack.waitFor(() => acked.every(isShown), { timeoutMs: 7_000 });
    expect(acked.length).toBeGreaterThan(0);
  });
});
