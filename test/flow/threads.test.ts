import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/sandbox/planner/scenario.ts';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createAsked } from '../support/asked.ts';
import { useStage } from './stage.ts';

const { bob } = SANDBOX.users;

const stage = useStage({ planner: { scenario: 'answer-only' } });
const asked = createAsked(stage);

/** A mention whose run waits at a gate of its own. */
async function startHeld(gate: string, user?: string) {
  const hold: Scenario = {
    about: 'waits',
    legs: [[{ hold: gate }, { text: 'Two and two is four.' }, { finish: 'stop' }, { done: true }]],
  };
  stage.planner.use(hold, { times: 1, match: gate });
  const sent = await stage.slack.mention({ text: gate, ...(user ? { user } : {}) });
  await stage.planner.waitFor(() => asked.requestsFor(gate).length === 1);
  return sent;
}

describe('a thread', () => {
  it('keeps later requests in order, shows their places, and runs them one after the other', async () => {
    const { slack, planner } = stage;
    const sent = await startHeld('gate-order');
    for (const words of ['second-of-order', 'third-of-order', 'fourth-of-order']) {
      await slack.reply({ text: words, threadTs: sent.ts });
    }
    for (const place of ['2nd in this thread', '3rd in this thread', '4th in this thread']) {
      await slack.waitFor(() => asked.statusesIn(sent, place).length === 1);
    }
    expect(asked.requestsFor('of-order')).toHaveLength(0);
    planner.release('gate-order');
    await asked.answered(sent, 4);
    const order = planner.requests.flatMap(
      ({ messages }) => /(\w+)-of-order/.exec(String(messages.at(-1)?.content))?.[1] ?? [],
    );
    expect(order).toEqual(['second', 'third', 'fourth']);
    expect(asked.statusesIn(sent, 'in this thread')).toHaveLength(0);
  });

  it('never has two planner requests at once, however its messages race', async () => {
    const { slack, planner } = stage;
    const sent = await slack.mention({ text: 'race-root' });
    await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        slack.mention({ text: `race-${n}`, threadTs: sent.ts, user: n % 2 ? bob : SANDBOX.users.alice }),
      ),
    );
    await asked.answered(sent, 9);
    const spans = planner.requests.filter(({ messages }) => JSON.stringify(messages).includes('race-root'));
    expect(spans).toHaveLength(9);
    for (const [index, span] of spans.entries()) {
      expect(span.receivedAt).toBeGreaterThanOrEqual(spans[index - 1]?.endedAt ?? 0);
    }
  });

  it('honours a reply that comes together with the mention it stands under, however many threads open at once', async () => {
    const { slack } = stage;
    const threads = Array.from({ length: 30 }, (_, n) => {
      const root = slack.mention({ text: `together-root-${n}` });
      const ts = slack.messages(SANDBOX.channels.general).at(-1)?.ts ?? '';
      return { root, reply: slack.reply({ text: `together-reply-${n}-`, threadTs: ts }) };
    });
    for (const [n, { root }] of threads.entries()) {
      await asked.answered(await root, 2);
      expect(asked.requestsFor(`together-reply-${n}-`)).toHaveLength(1);
    }
  });

  it('runs beside other threads, and each answer goes to its own', async () => {
    const { slack, planner } = stage;
    const first = await startHeld('gate-one');
    const second = await startHeld('gate-two');
    planner.release('gate-two');
    await asked.answered(second);
    expect(asked.answersIn(first)).toHaveLength(0);
    planner.release('gate-one');
    await asked.answered(first);
    expect(asked.inThread(second)).toHaveLength(2);
    expect(
      slack.messages(SANDBOX.channels.general).filter((m) => m.threadTs === null && m.userId === SANDBOX.botUserId),
    ).toHaveLength(0);
  });

  it('gives a later request a new session and the earlier requests and answers', async () => {
    const { slack } = stage;
    const sent = await slack.mention({ text: 'prior-one' });
    await asked.answered(sent);
    await slack.mention({ text: 'prior-two', threadTs: sent.ts, user: bob });
    await asked.answered(sent, 2);
    const [one] = asked.requestsFor('prior-one');
    const [two] = asked.requestsFor('prior-two');
    expect(two?.sessionId).not.toBe(one?.sessionId);
    expect(two?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'prior-one'],
      ['assistant', 'Two and two is four.'],
      ['user', 'prior-two'],
    ]);
  });

  it('tells the planner of a request that failed when it is asked to try again', async () => {
    const { slack, planner } = stage;
    planner.use('error-500', { times: 1, match: 'fails-once' });
    const sent = await slack.mention({ text: 'fails-once' });
    await slack.waitFor(() => asked.statusesIn(sent, 'Failed').length === 1);
    await slack.reply({ text: 'please try again', threadTs: sent.ts });
    await asked.answered(sent);
    const messages = asked.requestsFor('please try again')[0]?.messages;
    expect(messages?.map(({ content }) => content)).toEqual(['fails-once', 'please try again']);
  });

  it('lets its requester speak without a mention, and nobody else', async () => {
    const { slack } = stage;
    const sent = await slack.mention({ text: 'speak-root' });
    await asked.answered(sent);
    await slack.reply({ user: bob, text: 'speak-bob', threadTs: sent.ts });
    await slack.reply({ text: `<@${bob}> speak-to-bob`, threadTs: sent.ts });
    await slack.reply({ text: 'speak-alice', threadTs: sent.ts });
    await asked.answered(sent, 2);
    await asked.caughtUp();
    expect(asked.requestsFor('speak-bob')).toHaveLength(0);
    expect(asked.requestsFor('speak-to-bob')).toHaveLength(0);
    expect(asked.requestsFor('speak-alice')).toHaveLength(1);
  });
});

describe('a thread with runs of two people', () => {
  it("stops its current run at the plain word of that run's requester", async () => {
    const { slack } = stage;
    const sent = await startHeld('gate-stop-own');
    await slack.mention({ user: bob, text: 'bob-waits-behind', threadTs: sent.ts });
    await slack.waitFor(() => asked.statusesIn(sent, '2nd in this thread').length === 1);
    await slack.reply({ text: 'stop', threadTs: sent.ts });
    await slack.waitFor(() => asked.statusesIn(sent, 'Stopped').length === 1);
    await asked.answered(sent);
    expect(asked.requestsFor('bob-waits-behind')).toHaveLength(1);
  });

  it("stops the waiting run of whoever says stop, and leaves the other's alone", async () => {
    const { slack, planner } = stage;
    const sent = await startHeld('gate-stop-waiting');
    await slack.mention({ user: bob, text: 'bob-gives-up', threadTs: sent.ts });
    await slack.waitFor(() => asked.statusesIn(sent, '2nd in this thread').length === 1);
    await slack.mention({ user: bob, text: 'stop', threadTs: sent.ts });
    await slack.waitFor(() => asked.statusesIn(sent, 'Stopped').length === 1);
    planner.release('gate-stop-waiting');
    await asked.answered(sent);
    expect(asked.requestsFor('bob-gives-up')).toHaveLength(0);
  });

  it('takes the plain reply of the one who was asked as the answer', async () => {
    const { slack, planner } = stage;
    planner.use('clarify-options', { times: 1, match: 'asks-alice' });
    const sent = await slack.mention({ text: 'asks-alice' });
    await slack.waitFor(() => asked.statusesIn(sent, 'Waiting for an answer').length === 1);
    await slack.mention({ user: bob, text: 'bob-behind-a-pause', threadTs: sent.ts });
    await slack.waitFor(() => asked.statusesIn(sent, '2nd in this thread').length === 1);
    await slack.reply({ text: 'my own free words', threadTs: sent.ts });
    const resume = await planner.waitFor(() => asked.requestsFor('my own free words')[0]);
    expect(resume.kind).toBe('resume');
    await slack.waitFor(() => asked.statusesIn(sent, 'Done').length === 2);
  });
});

describe('an edited request', () => {
  it('that waits for nobody does not answer the question that its own run asked', async () => {
    const { slack, planner } = stage;
    planner.use('clarify-options', { times: 1, match: 'edited-later' });
    const root = await slack.reply({ text: 'a thread of people' });
    const sent = await slack.mention({ text: 'edited-later', threadTs: root.ts });
    await slack.waitFor(() => asked.statusesIn(root, 'Waiting for an answer').length === 1);
    await slack.editMessage({ ts: sent.ts, text: `<@${SANDBOX.botUserId}> edited-later in other words` });
    await slack.editMessage({ ts: sent.ts, text: `<@${SANDBOX.botUserId}> stop` });
    await asked.caughtUp();
    expect(asked.statusesIn(root, 'Waiting for an answer')).toHaveLength(1);
    expect(asked.requestsFor('in other words')).toHaveLength(0);
  });
});

describe('a deleted request', () => {
  it('that waits never reaches the planner', async () => {
    const { slack, planner } = stage;
    const sent = await startHeld('gate-delete');
    const second = await slack.mention({ text: 'delete-me', threadTs: sent.ts });
    await slack.waitFor(() => asked.statusesIn(sent, '2nd in this thread').length === 1);
    await slack.deleteMessage({ channel: second.channel, ts: second.ts });
    await slack.waitFor(() => asked.statusesIn(sent, 'Stopped').length === 1);
    planner.release('gate-delete');
    await asked.answered(sent);
    await asked.caughtUp();
    expect(asked.requestsFor('delete-me')).toHaveLength(0);
  });

  it('leaves nothing in the channel, even when it goes at once', async () => {
    const { slack } = stage;
    const writing = slack.mention({ text: 'gone at once [scenario:silent]' });
    const ts = slack.messages(SANDBOX.channels.general).at(-1)?.ts ?? '';
    await Promise.all([writing, slack.deleteMessage({ ts })]);
    await asked.caughtUp();
    expect(asked.requestsFor('gone at once').every(({ state }) => state === 'aborted')).toBe(true);
    // Slack posts to a thread that is gone as if to the channel, and is asked to take it back.
    await slack.waitFor(() =>
      slack
        .messages(SANDBOX.channels.general)
        .every((message) => message.threadTs !== null || message.userId !== SANDBOX.botUserId),
    );
  });
});
