import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { botMessages } from '../support/bot-messages.ts';
import { shown, useStage } from './stage.ts';

const BOT = `<@${SANDBOX.botUserId}>`;
const { bob } = SANDBOX.users;

describe('stopping', () => {
  const stage = useStage();

  /** A run that waits at the planner's gate, with its planner request. */
  async function startHeld(text: string) {
    const { slack, planner } = stage;
    const sent = await slack.mention({ text: `${BOT} ${text} [scenario:held]` });
    const request = await planner.waitFor((requests) =>
      requests.find(({ messages }) => JSON.stringify(messages).includes(text)),
    );
    const status = await slack.waitFor(() => {
      const [first] = botMessages(slack, sent);
      return first && shown(first).includes('Wait at the gate') ? first : null;
    });
    return { sent, request, status };
  }

  const statusOf = (thread: { channel: string; ts: string }) => {
    const [first] = botMessages(stage.slack, thread);
    return first ? shown(first) : '';
  };

  const runsStopped = (thread: { channel: string; ts: string }) =>
    stage.slack.waitFor(() => statusOf(thread).includes('Stopped'));

  it('by the button aborts the planner request within two seconds and reports what was done', async () => {
    const { slack, planner } = stage;
    const { sent, request, status } = await startHeld('stop-by-button');
    const clickedAt = Date.now();
    expect((await slack.click({ messageTs: status.ts, text: 'Stop' })).acked).toBe(true);
    await planner.waitFor(() => request.state === 'aborted');
    expect(Date.now() - clickedAt).toBeLessThan(2_000);
    await runsStopped(sent);
    const report = statusOf(sent);
    expect(report).toContain('0 of 1 tasks had been done');
    expect(report).toContain('Nothing had been approved or paid');
    expect(report).not.toContain('stop_run');
    expect(botMessages(slack, sent)).toHaveLength(1);
  });

  it('by somebody else with the button is refused privately and changes nothing', async () => {
    const { slack, planner } = stage;
    const { sent, request, status } = await startHeld('stop-by-bob');
    await slack.click({ user: bob, messageTs: status.ts, text: 'Stop' });
    await slack.waitFor(() => slack.ephemerals({ user: bob }).some(({ text }) => text.includes('Only <@')));
    expect(request.state).toBe('open');
    expect(statusOf(sent)).toContain('stop_run');
    planner.release('held');
    await slack.waitFor(() => statusOf(sent).includes('Done'));
  });

  it.each([
    ['stop', 'plain-word'],
    ['Stop!', 'plain-shout'],
    [`${BOT} stop`, 'mention'],
  ])('by %s of the requester in the thread ends the run', async (words, text) => {
    const { slack, planner } = stage;
    const { sent, request } = await startHeld(`stop-${text}`);
    const said = { text: words, threadTs: sent.ts };
    await (words.startsWith('<@') ? slack.mention(said) : slack.reply(said));
    await planner.waitFor(() => request.state === 'aborted');
    await runsStopped(sent);
    expect(planner.requests.filter(({ messages }) => JSON.stringify(messages).includes(`stop-${text}`))).toHaveLength(
      1,
    );
  });

  it('by a mention of somebody else in the thread is refused privately', async () => {
    const { slack, planner } = stage;
    const { sent, request } = await startHeld('stop-bob-word');
    const before = slack.ephemerals({ user: bob }).length;
    await slack.mention({ user: bob, text: `${BOT} stop`, threadTs: sent.ts });
    await slack.waitFor(() => slack.ephemerals({ user: bob }).length > before);
    expect(request.state).toBe('open');
    planner.release('held');
    await slack.waitFor(() => statusOf(sent).includes('Done'));
  });

  it('by deleting the request ends the run', async () => {
    const { slack, planner } = stage;
    const { sent, request } = await startHeld('stop-deletion');
    await slack.deleteMessage({ channel: sent.channel, ts: sent.ts });
    await planner.waitFor(() => request.state === 'aborted');
    await slack.waitFor(() =>
      slack.messages(sent.channel).some((m) => m.threadTs === sent.ts && shown(m).includes('Stopped')),
    );
  });

  it('by deleting the request ends the run that started it over', async () => {
    const { slack, planner } = stage;
    planner.use('cut-mid-event', { times: 1, match: 'delete-successor' });
    const sent = await slack.mention({ text: `${BOT} delete-successor` });
    await slack.waitFor(() => statusOf(sent).includes('Interrupted'));
    planner.use('held', { times: 1, match: 'delete-successor' });
    const [status] = botMessages(slack, sent);
    await slack.click({ messageTs: status?.ts ?? '', text: 'Start over' });
    const second = await planner.waitFor(
      (requests) => requests.filter(({ messages }) => JSON.stringify(messages).includes('delete-successor'))[1],
    );
    await slack.deleteMessage({ channel: sent.channel, ts: sent.ts });
    await planner.waitFor(() => second.state === 'aborted');
  });

  it('a queued run never reaches the planner, and the one before it goes on', async () => {
    const { slack, planner } = stage;
    const { sent, request } = await startHeld('first-in-line');
    await slack.mention({ text: `${BOT} second-in-line`, threadTs: sent.ts });
    const queued = await slack.waitFor(() =>
      botMessages(slack, sent).find((message) => shown(message).includes('2nd in this thread')),
    );
    await slack.click({ messageTs: queued.ts, text: 'Stop' });
    await slack.waitFor(() => botMessages(slack, sent).some((m) => m.ts === queued.ts && shown(m).includes('Stopped')));
    expect(request.state).toBe('open');
    planner.release('held');
    await slack.waitFor(() => statusOf(sent).includes('Done'));
    expect(JSON.stringify(planner.requests.map(({ messages }) => messages))).not.toContain('second-in-line');
  });

  it('starts the run that waits in the thread', async () => {
    const { slack } = stage;
    const { sent, status } = await startHeld('stopped-first');
    await slack.mention({ text: `${BOT} goes-second [scenario:happy]`, threadTs: sent.ts });
    await slack.waitFor(() => botMessages(slack, sent).length === 2);
    await slack.click({ messageTs: status.ts, text: 'Stop' });
    await slack.waitFor(() => {
      const [first, second] = botMessages(slack, sent);
      return first && second && shown(first).includes('Stopped') && shown(second).includes('Done');
    });
  });

  it('a paused run cancels its question, whose buttons are gone', async () => {
    const { slack, planner } = stage;
    const sent = await slack.mention({ text: `${BOT} paused-stop [scenario:clarify-options]` });
    await slack.waitFor(() => botMessages(slack, sent).length === 2);
    const [status, card] = botMessages(slack, sent);
    await slack.click({ messageTs: status?.ts ?? '', text: 'Stop' });
    await slack.waitFor(() => {
      const now = botMessages(slack, sent)[1];
      return now && shown(now).includes('was stopped') && !shown(now).includes('answer_option');
    });
    await slack.click({ messageTs: card?.ts ?? '', text: 'First', stale: true });
    await slack.waitFor(() =>
      slack
        .ephemerals({ user: SANDBOX.users.alice })
        .some((told) => shown(told).includes('This run is over (stopped)')),
    );
    expect(planner.requests.filter(({ messages }) => JSON.stringify(messages).includes('paused-stop'))).toHaveLength(1);
  });

  it('with /steward stop ends all runs of that person in the channel and no others', async () => {
    const { slack, planner } = stage;
    const inRandom = { channel: SANDBOX.channels.random };
    const mine = await slack.mention({ text: `${BOT} mine [scenario:held]`, ...inRandom });
    const bobs = await slack.mention({ user: bob, text: `${BOT} bobs [scenario:held]`, ...inRandom });
    const elsewhere = await startHeld('elsewhere-mine');
    const [first, second] = await planner.waitFor((requests) => {
      const found = ['mine [', 'bobs ['].map((text) =>
        requests.find((request) => request.state === 'open' && JSON.stringify(request.messages).includes(`"${text}`)),
      );
      return found.every(Boolean) ? found : null;
    });
    await slack.slashCommand({ command: '/steward', text: 'stop', ...inRandom });
    await planner.waitFor(() => first?.state === 'aborted');
    await runsStopped(mine);
    expect(second?.state).toBe('open');
    expect(elsewhere.request.state).toBe('open');
    planner.release('held');
    planner.release('held');
    await slack.waitFor(() => statusOf(bobs).includes('Done') && statusOf(elsewhere.sent).includes('Done'));
  });

  it('twice with the button tells the second click that the run is over', async () => {
    const { slack } = stage;
    const { sent, status } = await startHeld('stop-twice');
    const click = () => slack.click({ messageTs: status.ts, text: 'Stop', stale: true });
    const results = await Promise.all([click(), click(), click()]);
    expect(results.every(({ acked }) => acked)).toBe(true);
    await runsStopped(sent);
    const before = slack.ephemerals({ user: SANDBOX.users.alice }).length;
    await click();
    await slack.waitFor(() => slack.ephemerals({ user: SANDBOX.users.alice }).length > before);
    expect(botMessages(slack, sent)).toHaveLength(1);
  });
});
