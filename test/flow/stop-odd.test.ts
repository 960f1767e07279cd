import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/sandbox/planner/scenario.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { botMessages } from '../support/bot-messages.ts';
import { shown, useStage } from './stage.ts';

const BOT = `<@${SANDBOX.botUserId}>`;
type Thread = { channel: string; ts: string };

const LIMITED: Scenario = {
  about: 'takes nothing for a minute',
  legs: [[{ status: 429, headers: { 'retry-after': '60' }, body: { error: { message: 'Rate limit reached' } } }]],
};

describe('a stop at an odd moment', () => {
  const stage = useStage();

  const text = (thread: Thread, index = 0) => {
    const message = botMessages(stage.slack, thread)[index];
    return message ? shown(message) : '';
  };
  const pressStop = (thread: Thread) =>
    stage.slack.click({ messageTs: botMessages(stage.slack, thread)[0]?.ts ?? '', text: 'Stop' });
  const askedAbout = (words: string) =>
    stage.planner.requests.filter(({ messages }) => JSON.stringify(messages).includes(words));

  it('ends the waiting for a planner that takes nothing', async () => {
    const { slack } = stage;
    stage.planner.use(LIMITED, { times: 1, match: 'while-retrying' });
    const sent = await slack.mention({ text: `${BOT} while-retrying` });
    await slack.waitFor(() => text(sent).includes('Trying again'));
    await pressStop(sent);
    await slack.waitFor(() => text(sent).includes('Stopped'));
    expect(askedAbout('while-retrying')).toHaveLength(1);
  });

  it('right after the request still stops it', async () => {
    const { slack } = stage;
    const sent = await slack.mention({ text: `${BOT} at-once [scenario:held]` });
    await slack.reply({ text: 'stop', threadTs: sent.ts });
    await slack.waitFor(() => text(sent).includes('Stopped'));
    expect(askedAbout('at-once').every(({ state }) => state === 'aborted')).toBe(true);
  });

  it('together with the answer to its question leaves one outcome and no buttons', async () => {
    const { slack } = stage;
    const sent = await slack.mention({ text: `${BOT} between-legs [scenario:clarify-options]` });
    const card = await slack.waitFor(() => botMessages(slack, sent)[1]);
    await Promise.all([slack.click({ messageTs: card.ts, text: 'First' }), pressStop(sent)]);
    await slack.waitFor(() => /^(Stopped|Done)/.test(text(sent)));
    await slack.waitFor(() => !text(sent, 1).includes('answer_option'));
    expect(text(sent)).not.toContain('stop_run');
  });

  it('ends a planner that goes on asking for tools', async () => {
    const { slack } = stage;
    const sent = await slack.mention({ text: `${BOT} tools [scenario:tool-calls-forever]` });
    await slack.reply({ text: 'stop', threadTs: sent.ts });
    await slack.waitFor(() => /^(Stopped|Failed)/.test(text(sent)));
    expect(askedAbout('tools [').every(({ state }) => state !== 'open')).toBe(true);
  });

  it('by deleting a request that waits ends that one only, by a tombstone the one that runs', async () => {
    const { slack, planner } = stage;
    const sent = await slack.mention({ text: `${BOT} deleted-first [scenario:held]` });
    const request = await planner.waitFor(() => askedAbout('deleted-first')[0]);
    const second = await slack.mention({ text: `${BOT} deleted-second`, threadTs: sent.ts });
    await slack.waitFor(() => text(sent, 1).includes('2nd in this thread'));
    await slack.deleteMessage({ channel: second.channel, ts: second.ts });
    await slack.waitFor(() => text(sent, 1).includes('Stopped'));
    expect(request.state).toBe('open');
    await slack.deleteMessage({ channel: sent.channel, ts: sent.ts, as: 'tombstone' });
    await planner.waitFor(() => request.state === 'aborted');
    expect(askedAbout('deleted-second')).toHaveLength(0);
  });

  it('by the word alone in a direct message ends what runs there', async () => {
    const { slack, planner } = stage;
    const sent = await slack.directMessage({ text: 'in-private [scenario:held]' });
    const request = await planner.waitFor(() => askedAbout('in-private')[0]);
    await slack.directMessage({ text: 'stop' });
    await planner.waitFor(() => request.state === 'aborted');
    await slack.waitFor(() => text(sent).includes('Stopped'));
  });
});
