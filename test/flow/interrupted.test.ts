import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { botMessages } from '../support/bot-messages.ts';
import { shown, useStage } from './stage.ts';

const BOT = `<@${SANDBOX.botUserId}>`;
const { alice, bob } = SANDBOX.users;
type Thread = { channel: string; ts: string };

describe('an interrupted run', () => {
  const stage = useStage();

  const own = (thread: Thread) => botMessages(stage.slack, thread);
  const text = (thread: Thread, index: number) => {
    const message = own(thread)[index];
    return message ? shown(message) : '';
  };
  const askedAbout = (words: string) =>
    stage.planner.requests.filter(({ messages }) => JSON.stringify(messages).includes(words));
  const press = (thread: Thread, label: string, user: string = alice) =>
    stage.slack.click({ user, messageTs: own(thread)[0]?.ts ?? '', text: label, stale: true });
  const whispers = (user: string) => stage.slack.ephemerals({ user }).length;

  /** A run whose stream broke. */
  async function cutRun(words: string, scenario = 'cut-mid-event'): Promise<Thread> {
    const sent = await stage.slack.mention({ text: `${BOT} ${words} [scenario:${scenario}]` });
    await stage.slack.waitFor(() => text(sent, 0).includes('Resume'));
    return sent;
  }

  it('shows what arrived as partial, never as an answer, with three buttons', async () => {
    const sent = await cutRun('look-at-me');
    expect(own(sent)).toHaveLength(1);
    for (const words of ['Interrupted', 'Partial, not an answer', 'This much arrived', 'Start over', 'Close']) {
      expect(text(sent, 0)).toContain(words);
    }
    expect(text(sent, 0)).toContain('Nothing had been approved or paid');
    expect(askedAbout('look-at-me')).toHaveLength(1);
  });

  it('goes on with the same session when its requester presses Resume, once for many clicks', async () => {
    const { slack } = stage;
    const sent = await cutRun('resume-me');
    const clicks = await Promise.all([press(sent, 'Resume'), press(sent, 'Resume'), press(sent, 'Resume')]);
    expect(clicks.every(({ acked }) => acked)).toBe(true);
    await slack.waitFor(() => text(sent, 1).includes('Second try, whole.'));
    const [first, second, ...more] = askedAbout('resume-me');
    expect(more).toHaveLength(0);
    expect(second?.sessionId).toBe(first?.sessionId);
    await slack.waitFor(() => text(sent, 0).includes('Done'));
    expect(text(sent, 0)).not.toContain('Partial');
  });

  it('starts over with a fresh session, once, and says who chose it', async () => {
    const { slack, planner } = stage;
    const sent = await cutRun('again-please');
    const before = whispers(alice);
    await Promise.all([press(sent, 'Start over'), press(sent, 'Start over'), press(sent, 'Close')]);
    await slack.waitFor(() => whispers(alice) >= before + 2);
    await slack.waitFor(() => text(sent, 0).includes(`<@${alice}> chose`) && !text(sent, 0).includes('resume_run'));
    const again = askedAbout('again-please');
    if (text(sent, 0).includes('Close')) {
      expect(again).toHaveLength(1);
      return;
    }
    const [first, second] = await planner.waitFor((requests) => {
      const found = requests.filter(({ messages }) => JSON.stringify(messages).includes('again-please'));
      return found.length === 2 ? found : null;
    });
    expect(second?.sessionId).not.toBe(first?.sessionId);
    expect(own(sent).filter((message) => shown(message).includes('stop_run')).length).toBeLessThanOrEqual(1);
  });

  it('is closed by Close and leaves no buttons', async () => {
    const { slack } = stage;
    const sent = await cutRun('close-me');
    await press(sent, 'Close');
    await slack.waitFor(() => text(sent, 0).includes('chose *Close*'));
    expect(text(sent, 0)).not.toMatch(/resume_run|start_over_run|close_run/);
    const before = whispers(alice);
    await press(sent, 'Resume');
    await slack.waitFor(() => whispers(alice) > before);
    expect(askedAbout('close-me')).toHaveLength(1);
  });

  it.each(['Resume', 'Start over', 'Close'])('refuses %s to somebody else, privately', async (label) => {
    const { slack } = stage;
    const words = `not-bobs-${label.replace(' ', '-')}`;
    const sent = await cutRun(words);
    const [before, shownBefore] = [whispers(bob), text(sent, 0)];
    await press(sent, label, bob);
    await slack.waitFor(() => whispers(bob) > before);
    expect(text(sent, 0)).toBe(shownBefore);
    expect(askedAbout(words)).toHaveLength(1);
  });

  it('has its buttons again when it is interrupted a second time', async () => {
    const { slack, planner } = stage;
    const sent = await cutRun('cut-twice');
    // The plan is gone at the planner, so that the same script plays again.
    planner.forget();
    await press(sent, 'Resume');
    const cutAt = await planner.waitFor(() => askedAbout('cut-twice')[1]?.endedAt);
    // Until it is edited, the message shows the first interruption, with the same buttons.
    await slack.waitFor(() => (own(sent)[0]?.atMs ?? 0) > cutAt && text(sent, 0).includes('resume_run'));
    await press(sent, 'Resume');
    await slack.waitFor(() => text(sent, 1).includes('Second try, whole.'));
    expect(new Set(askedAbout('cut-twice').map(({ sessionId }) => sessionId)).size).toBe(1);
  });

  it('waits its turn after Resume when another run has the thread, and says so', async () => {
    const { slack, planner } = stage;
    const sent = await cutRun('moved-on');
    await slack.mention({ text: `${BOT} the-next-one [scenario:held]`, threadTs: sent.ts });
    await planner.waitFor((requests) => requests.find((r) => r.scenario === 'held' && r.state === 'open'));
    await press(sent, 'Resume');
    await slack.waitFor(() => text(sent, 0).includes('2nd in this thread'));
    expect(text(sent, 0)).not.toContain('goes to the planner');
    expect(askedAbout('moved-on [scenario:cut')).toHaveLength(1);
    planner.release('held');
    await slack.waitFor(() => own(sent).some((message) => shown(message).includes('Second try, whole.')));
  });

  it('says what had been answered when it breaks after a decision', async () => {
    const { slack } = stage;
    const sent = await slack.mention({ text: `${BOT} after-decision [scenario:cut-after-resume]` });
    await slack.waitFor(() => text(sent, 1).includes('Shall I go on?'));
    await slack.click({ messageTs: own(sent)[1]?.ts ?? '', text: 'Yes' });
    await slack.waitFor(() => text(sent, 0).includes('Resume'));
    expect(text(sent, 0)).toContain('1 answer had been given: “Yes”');
    expect(text(sent, 1)).toContain('answered');
    expect(askedAbout('after-decision')).toHaveLength(2);
  });

  it('lets the thread go on with the next request', async () => {
    const { slack } = stage;
    const sent = await cutRun('left-alone');
    await slack.mention({ text: `${BOT} something-new [scenario:answer-only]`, threadTs: sent.ts });
    await slack.waitFor(() => own(sent).length === 3 && text(sent, 1).includes('Done'));
    expect(text(sent, 0)).toContain('Resume');
  });
});
