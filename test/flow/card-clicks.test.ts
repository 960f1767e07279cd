import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { cardScript, flatCard, lastWords, openedView, selectionIn } from '../support/cards.ts';
import { createPausedRuns } from '../support/paused-runs.ts';
import { buttonsOf, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob } = SANDBOX.users;
const DETAIL = { Cabin: 'Business' };

const stage = useStage({ planner: { scenario: 'answer-only' } });
const paused = createPausedRuns(stage);

/** A card with something to fill in, its modal open on Alice's screen. */
async function withModal(words: string) {
  const thread = await paused.ask(words, 'card-detail');
  const { ts: messageTs } = paused.cardOf(thread);
  await stage.slack.click({ messageTs, text: 'Continue' });
  const view = await openedView(stage.slack, alice);
  return { thread, messageTs, viewId: view.id };
}

/** What the modal says once it was sent. */
async function submitLate(viewId: string): Promise<string> {
  expect(await stage.slack.submitView({ viewId, values: DETAIL })).toMatchObject({
    acked: true,
    open: true,
    problem: null,
  });
  const shown = JSON.stringify(stage.slack.openViews(alice).find(({ id }) => id === viewId)?.view);
  await stage.slack.closeView({ viewId });
  return shown;
}

describe('every click on a card is answered', () => {
  it('of somebody else, who may not: privately, by button and by modal', async () => {
    const thread = await paused.ask('click-other', 'card-detail');
    const { ts: messageTs } = paused.cardOf(thread);
    const before = paused.whispersTo(bob).length;
    for (const text of ['Continue', 'Fill in…', 'Answer in words…', 'Cancel']) {
      await stage.slack.click({ user: bob, messageTs, text });
    }
    await stage.slack.waitFor(() => paused.whispersTo(bob, before).length === 4);
    for (const text of paused.whispersTo(bob, before)) expect(text).toContain(`Only <@${alice}>`);
    expect(stage.slack.openViews(bob)).toEqual([]);
    expect(paused.cardOf(thread).versions).toHaveLength(1);
    await stage.slack.click({ messageTs, text: 'Cancel' });
    await paused.answered(thread, ':');
  });

  it('of a false client that submits in another name: refused, and the card stays', async () => {
    const { thread, messageTs, viewId } = await withModal('click-forged');
    const forged = await stage.slack.submitView({ viewId, values: DETAIL, forgedUser: bob });
    expect(forged).toMatchObject({ acked: true, open: true });
    expect(JSON.stringify(stage.slack.openViews(alice).at(-1)?.view)).toContain(`Only <@${alice}>`);
    await stage.slack.closeView({ viewId });
    expect(buttonsOf(paused.cardOf(thread))).toContain('Cancel');
    await stage.slack.click({ messageTs, text: 'Cancel' });
    await paused.answered(thread, ':');
  });

  it('in a modal that somebody decided past: by whom and what', async () => {
    const { thread, messageTs, viewId } = await withModal('click-past');
    await stage.slack.click({ messageTs, text: 'Cancel' });
    await paused.settled(thread);
    expect(await submitLate(viewId)).toContain(`<@${alice}> has already cancelled this card`);
    await paused.answered(thread, ':');
    expect(paused.requestsFor('click-past')).toHaveLength(2);
  });

  it('in a modal of a run that was stopped meanwhile', async () => {
    const { thread, viewId } = await withModal('click-stopped');
    await stage.slack.reply({ text: 'stop', threadTs: thread.ts });
    await stage.slack.waitFor(() => paused.statusText(thread).includes('*Stopped*'));
    expect(await submitLate(viewId)).toContain('This run is over (stopped)');
    await paused.settled(thread);
    expect(textOf(paused.cardOf(thread))).toContain('needs no answer any more');
    expect(paused.requestsFor('click-stopped')).toHaveLength(1);
  });

  it('in a modal that was opened before a restart: it decides', async () => {
    const { thread, viewId } = await withModal('click-restart');
    await stage.stopBot();
    await stage.startBot();
    expect(await stage.slack.submitView({ viewId, values: DETAIL })).toMatchObject({ open: false, problem: null });
    await paused.answered(thread, ':');
    expect(selectionIn(lastWords(paused.requestsFor('click-restart').at(-1)))).toMatchObject({ cabin: 'business' });
  });

  it('in a burst of all its buttons: one decides, and all others are told', async () => {
    const thread = await paused.ask('click-burst', 'card');
    const { ts: messageTs } = paused.cardOf(thread);
    const before = paused.whispersTo(alice).length;
    await Promise.all(
      ['Book', 'No', 'Cancel', 'Book', 'No'].map((text) => stage.slack.click({ messageTs, text, stale: true })),
    );
    await paused.answered(thread, ':');
    await stage.slack.waitFor(() => paused.whispersTo(alice, before).length === 4);
    for (const text of paused.whispersTo(alice, before)) expect(text).toContain(`<@${alice}> has already`);
    expect(paused.requestsFor('click-burst')).toHaveLength(2);
  });

  it('that submits a modal twice at once: decided once', async () => {
    const { thread, viewId } = await withModal('click-double');
    const submit = () => stage.slack.submitView({ viewId, values: DETAIL });
    const results = await Promise.allSettled([submit(), submit()]);
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    await paused.answered(thread, ':');
    expect(paused.requestsFor('click-double')).toHaveLength(2);
    for (const { id } of stage.slack.openViews(alice)) await stage.slack.closeView({ viewId: id });
  });

  it('on a choice that the card does not have, or that stands elsewhere: nothing is decided', async () => {
    const thread = await paused.ask('click-index', 'card');
    const other = await paused.ask('click-elsewhere', 'card');
    const { ts: messageTs } = paused.cardOf(thread);
    const value = String(/"value":"([^"]+)"/.exec(JSON.stringify(paused.cardOf(thread).blocks))?.[1]);
    const before = paused.whispersTo(alice).length;
    for (const actionId of [
      'card_choice_2',
      'card_choice_99999',
      'card_choice_-1',
      'card_choice_0x0',
      'card_select',
      'answer_option_0',
      'payment_approve',
    ]) {
      await forge({ actionId, value, messageTs, threadTs: thread.ts });
    }
    await forge({ actionId: 'card_choice_0', value, messageTs: paused.cardOf(other).ts, threadTs: other.ts });
    await stage.slack.waitFor(() => paused.whispersTo(alice, before).length >= 8);
    expect(buttonsOf(paused.cardOf(thread))).toContain('Book');
    for (const each of [thread, other]) {
      await stage.slack.click({ messageTs: paused.cardOf(each).ts, text: 'No' });
      await paused.answered(each, 'Not booked');
    }
    expect(paused.requestsFor('click-index')).toHaveLength(2);
  });

  it('on a choice of a card with fields: it never decides without them', async () => {
    const field = { name: 'x', kind: 'text', label: 'X', required: true };
    const payload = { title: 'T', fields: [field], submit_cta: { label: 'Go', selection: { a: 1 } } };
    const thread = await paused.ask('click-fields', cardScript(flatCard('form', payload)));
    await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'Go' });
    const { id: viewId } = await openedView(stage.slack, alice);
    const empty = await stage.slack.submitView({ viewId, unchecked: true, values: {} });
    expect(empty.errors).toEqual({ card_field_0: 'Please fill this in.' });
    await stage.slack.submitView({ viewId, values: { X: 'y' } });
    await paused.answered(thread, 'Heard:');
    expect(selectionIn(lastWords(paused.requestsFor('click-fields').at(-1)))).toEqual({ a: 1, x: 'y' });
  });
});

/** A click as Slack would sign it, with whatever in it. */
function forge(click: { actionId: string; value: string; messageTs: string; threadTs: string }) {
  const { general } = SANDBOX.channels;
  const payload = {
    type: 'block_actions',
    user: { id: alice, team_id: SANDBOX.teamId },
    team: { id: SANDBOX.teamId },
    container: { type: 'message', message_ts: click.messageTs, channel_id: general, thread_ts: click.threadTs },
    channel: { id: general },
    message: { ts: click.messageTs },
    trigger_id: stage.slack.issueTrigger(alice),
    actions: [{ type: 'button', action_id: click.actionId, block_id: 'b', value: click.value, action_ts: '1.000002' }],
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...stage.slack.sign(body) };
  return stage.slack.deliverRaw({ body, headers });
}
