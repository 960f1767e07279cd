import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPausedRuns } from '../support/paused-runs.ts';
import { buttonsOf, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice } = SANDBOX.users;

const stage = useStage({ planner: { scenario: 'answer-only' } });
const paused = createPausedRuns(stage);

describe('a payment', () => {
  it('goes from its card by an approved modal to the answer', async () => {
    const thread = await paused.ask('one payment please', 'payment');
    const card = paused.cardOf(thread);
    expect(buttonsOf(card)).toEqual(expect.arrayContaining(['Approve…', 'Decline']));
    expect(textOf(card)).toContain(`<@${alice}>`);
    await stage.slack.click({ messageTs: card.ts, text: 'Approve…' });
    await stage.slack.waitFor(() => stage.slack.openViews(alice).length > 0);
    expect(await stage.slack.submitView({ values: {} })).toMatchObject({ acked: true, open: false, problem: null });
    await stage.slack.waitFor(() => paused.statusText(thread).includes('*Done*'));
    expect(textOf(paused.cardOf(thread))).toContain('approved');
    expect(paused.requestsFor('one payment please').at(-1)?.messages.at(-1)?.content).toContain(
      'I approve the payment of',
    );
  });
});
