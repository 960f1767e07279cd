import { describe, expect, it } from 'vitest';
import { createAsked } from '../support/asked.ts';
import { type Stage, useStage } from './stage.ts';

const stage = useStage({ transport: 'socket', planner: { scenario: 'answer-only' } });
const asked = createAsked(stage);

const allAnswered = async (sent: Awaited<ReturnType<Stage['slack']['mention']>>[], words: string) => {
  for (const [n, mention] of sent.entries()) {
    await asked.answered(mention);
    expect(asked.requestsFor(`${words}-${n}-`)).toHaveLength(1);
    expect(asked.inThread(mention)).toHaveLength(2);
  }
};

describe('over sockets', () => {
  it('a mention becomes one run, and its redeliveries none', async () => {
    const sent = await stage.slack.mention({ text: 'socket-0-' });
    expect(sent.acked).toBe(true);
    await stage.slack.redeliver(sent.ts, { newEventId: true, times: 4 });
    await asked.caughtUp();
    await allAnswered([sent], 'socket');
  });

  it('messages that arrive while sockets are renewed run once each', async () => {
    const { slack } = stage;
    const sending = Array.from({ length: 12 }, (_, n) => {
      if (n % 4 === 0) slack.refreshSockets();
      return slack.mention({ text: `renewed-${n}-` });
    });
    await allAnswered(await Promise.all(sending), 'renewed');
    await slack.waitFor(() => slack.socketCount() > 0);
  });

  it('messages that arrive while sockets break run once each', async () => {
    const { slack } = stage;
    const sending = Array.from({ length: 12 }, (_, n) => {
      if (n % 6 === 3) slack.dropSockets();
      return slack.mention({ text: `broken-${n}-` });
    });
    await allAnswered(await Promise.all(sending), 'broken');
  });

  it('a message sent while no socket is open runs once when it comes as a retry', async () => {
    const { slack } = stage;
    await stage.stopBot();
    const missed = slack.mention({ text: 'unheard-0-' });
    await stage.startBot();
    await allAnswered([await missed], 'unheard');
  });

  it('commands and direct messages work too', async () => {
    const { slack } = stage;
    const direct = await slack.directMessage({ text: 'direct-0-' });
    await allAnswered([direct], 'direct');
    await slack.slashCommand({ text: 'command over a socket' });
    await stage.planner.waitFor(() => asked.requestsFor('command over a socket').length === 1);
  });
});
