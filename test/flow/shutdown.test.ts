import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { botMessages } from '../support/bot-messages.ts';
import { type ChildStage, openChildStage } from './child-stage.ts';
import { shown } from './stage.ts';

const BOT = `<@${SANDBOX.botUserId}>`;
type Thread = { channel: string; ts: string };

describe('SIGTERM', { timeout: 60_000 }, () => {
  let stage: ChildStage;
  beforeAll(async () => {
    stage = await openChildStage({ env: { SHUTDOWN_GRACE_MS: '20000' } });
  });
  afterAll(async () => {
    await stage.close();
  });

  const shows = (thread: Thread, words: string) =>
    botMessages(stage.slack, thread).some((message) => shown(message).includes(words));
  const askedAbout = (words: string) =>
    stage.planner.requests.filter(({ messages }) => JSON.stringify(messages).includes(words));
  const readiness = async () => {
    const response = await fetch(`${stage.botUrl}/readyz`);
    return { status: response.status, body: await response.text() };
  };

  async function startHeld(words: string): Promise<Thread> {
    const sent = await stage.slack.mention({ text: `${BOT} ${words} [scenario:held]` });
    await stage.slack.waitFor(() => shows(sent, 'Wait at the gate'));
    return sent;
  }

  it('lets a run finish, keeps what is asked and clicked meanwhile for the next start, and exits 0', async () => {
    const { slack, planner } = stage;
    const paused = await slack.mention({ text: `${BOT} clicked-late [scenario:clarify-options]` });
    const card = await slack.waitFor(() => botMessages(slack, paused)[1]);
    const running = await startHeld('lets-finish');
    expect((await readiness()).status).toBe(200);
    stage.bot.signal('SIGTERM');
    await stage.bot.line(({ msg }) => msg === 'stopping');
    const down = await readiness();
    expect(down.status).toBe(503);
    expect(down.body).toContain('process');
    expect((await fetch(`${stage.botUrl}/healthz`)).status).toBe(200);
    const late = await slack.mention({ text: `${BOT} asked-late [scenario:answer-only]` });
    const click = await slack.click({ messageTs: card.ts, text: 'Second' });
    expect([late.acked, click.acked]).toEqual([true, true]);
    await slack.waitFor(() => !shows(paused, 'answer_option'));
    planner.release('held');
    expect(await stage.bot.ended).toEqual({ code: 0, signal: null });
    await slack.waitFor(() => shows(running, 'Done') && shows(running, 'The gate was opened.'));
    expect(askedAbout('asked-late')).toHaveLength(0);
    expect(askedAbout('clicked-late')).toHaveLength(1);
    await stage.start({ SHUTDOWN_GRACE_MS: '300' });
    await slack.waitFor(() => shows(paused, 'Booked as you said: Second'), { timeoutMs: 60_000 });
    await slack.waitFor(() => botMessages(slack, late).length === 2, { timeoutMs: 60_000 });
    expect(askedAbout('asked-late')).toHaveLength(1);
  });

  it('interrupts what is left when the grace time is over, and exits 0', async () => {
    const { slack } = stage;
    const sent = await startHeld('over-time');
    expect(await stage.bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(shows(sent, 'Interrupted')).toBe(true);
    for (const button of ['Resume', 'Start over', 'Close']) expect(shows(sent, button)).toBe(true);
    expect(askedAbout('over-time')[0]?.state).toBe('aborted');
    await stage.start({ SHUTDOWN_GRACE_MS: '60000' });
    await slack.click({ messageTs: botMessages(slack, sent)[0]?.ts ?? '', text: 'Close' });
    await slack.waitFor(() => shows(sent, 'chose *Close*'));
    expect(askedAbout('over-time')).toHaveLength(1);
  });

  it('sent twice ends the grace time at once', async () => {
    const sent = await startHeld('impatient');
    stage.bot.signal('SIGTERM');
    await stage.bot.line(({ msg }) => msg === 'stopping');
    const secondAt = Date.now();
    expect(await stage.bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(Date.now() - secondAt).toBeLessThan(20_000);
    expect(shows(sent, 'Interrupted')).toBe(true);
  });
});
