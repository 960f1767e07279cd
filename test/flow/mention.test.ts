import { describe, expect, it } from 'vitest';
import { botMessages } from '../support/bot-messages.ts';
import { shown, useStage } from './stage.ts';

describe('a mention', () => {
  const stage = useStage();

  it('becomes one status message and one answer in its thread', async () => {
    const { slack, planner } = stage;
    const sent = await slack.mention({ text: `<@${slack.setup.bot.userId}> compare three couriers [scenario:happy]` });
    expect(sent.acked).toBe(true);
    await slack.waitFor(() => botMessages(slack, sent).some((message) => shown(message).includes('Done')));
    await slack.waitFor(() => botMessages(slack, sent).length === 2);
    const [status, answer] = botMessages(slack, sent);
    expect(status && shown(status)).toContain('5 of 5 tasks');
    expect(answer && shown(answer)).toContain('|');
    expect(planner.requests).toHaveLength(1);
    expect(planner.refused).toHaveLength(0);
  });
});
