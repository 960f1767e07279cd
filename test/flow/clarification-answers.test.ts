import { describe, expect, it } from 'vitest';
import { SANDBOX } from '../../src/sandbox/slack/setup.ts';
import { createPausedRuns, questionScript } from '../support/paused-runs.ts';
import { buttonsOf, hasButtons, textOf } from '../support/watched-runs.ts';
import { useStage } from './stage.ts';

const { alice, bob } = SANDBOX.users;
const MONTHS = questionScript({ question: 'Which month?', options: ['May', 'June'] }, 'Let me ask.');

const stage = useStage({ planner: { scenario: 'answer-only' } });
const paused = createPausedRuns(stage);

describe('a clarification', () => {
  it('is one card that names who answers, what is asked and until when, beside a status message that says it waits', async () => {
    const thread = await paused.ask('who-what-when', MONTHS);
    const card = paused.cardOf(thread);
    expect(textOf(card)).toContain(`<@${alice}>`);
    expect(textOf(card)).toContain('Which month?');
    expect(textOf(card)).toMatch(/<!date\^\d+\^/);
    expect(card.text).toMatch(/\d\d:\d\d UTC/);
    expect(buttonsOf(card)).toEqual(['May', 'June', 'Answer…']);
    expect(paused.statusText(thread)).toContain(`Waiting for <@${alice}>`);
    expect(paused.inThread(thread)).toHaveLength(2);
    await stage.slack.click({ messageTs: card.ts, text: 'June' });
    await paused.answered(thread, 'Heard: June');
  });

  it('is resumed by one request that repeats everything and ends with the answer', async () => {
    const earlier = await stage.slack.mention({ text: 'an earlier request' });
    await stage.slack.waitFor(() => paused.statusText(earlier).includes('*Done*'));
    stage.planner.use(MONTHS, { times: 1, match: 'exact-resume' });
    await stage.slack.mention({ text: 'exact-resume', threadTs: earlier.ts });
    await stage.slack.waitFor(() => paused.cardsOf(earlier).length === 1);
    await stage.slack.click({ messageTs: paused.cardOf(earlier).ts, text: 'May' });
    await stage.slack.waitFor(() => paused.inThread(earlier).some((message) => textOf(message).includes('Heard: May')));
    const [first, resume, ...more] = paused.requestsFor('exact-resume');
    expect(more).toHaveLength(0);
    expect(first?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(resume?.kind).toBe('resume');
    expect(resume?.sessionId).toBe(first?.sessionId);
    expect(resume?.messages).toEqual([
      ...(first?.messages ?? []),
      { role: 'assistant', content: 'Let me ask.\n\nWhich month?' },
      { role: 'user', content: 'May' },
    ]);
    const rest = (request: typeof first) => ({ ...(request?.body as object), messages: null });
    expect(rest(resume)).toEqual(rest(first));
    expect(rest(resume)).toMatchObject({ planner_mode: true });
  });

  it('loses its buttons with the decision, and says who chose what and when', async () => {
    const thread = await paused.ask('gone-in-two', MONTHS);
    expect((await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'May' })).acked).toBe(true);
    await paused.settled(thread);
    const said = textOf(paused.cardOf(thread));
    expect(said).toContain('Which month?');
    expect(said).toMatch(new RegExp(`<@${alice}> answered at <!date\\^`));
    expect(said).toContain('May');
    await paused.answered(thread, 'Heard: May');
  });

  it('takes words typed into the modal', async () => {
    const thread = await paused.ask('by-modal', MONTHS);
    await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'Answer…' });
    const [view] = await stage.slack.waitFor(() => {
      const open = stage.slack.openViews(alice);
      return open.length > 0 ? open : null;
    });
    expect(JSON.stringify(view?.view)).toContain('Which month?');
    const sent = await stage.slack.submitView({ values: { answer_input: '  The end of July\n& August ' } });
    expect(sent).toMatchObject({ acked: true, open: false, problem: null });
    await paused.answered(thread, 'Heard: The end of July');
    expect(paused.requestsFor('by-modal').at(-1)?.messages.at(-1)?.content).toBe('The end of July\n& August');
    expect(textOf(paused.cardOf(thread))).toContain('The end of July');
  });

  it('refuses blank words in the modal and stays open', async () => {
    const thread = await paused.ask('blank-modal', MONTHS);
    await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'Answer…' });
    await stage.slack.waitFor(() => stage.slack.openViews(alice).length > 0);
    const sent = await stage.slack.submitView({ values: { answer_input: ' \n ' } });
    expect(sent).toMatchObject({ acked: true, open: true });
    expect(sent.errors).not.toBeNull();
    await stage.slack.submitView({ values: { answer_input: 'now then' } });
    await paused.answered(thread, 'Heard: now then');
  });

  it.each([
    ['a plain reply', 'plain-reply', 'sometime in spring', 'sometime in spring'],
    ['a reply with the words of an option', 'option-reply', 'june.', 'June'],
    ['a reply "confirm 1"', 'confirm-reply', 'confirm 1', 'May'],
    ['a reply with a number', 'number-reply', '2', 'June'],
    ['a mention', 'mention-reply', `<@${SANDBOX.botUserId}> whenever it is warm`, 'whenever it is warm'],
    ['a mention with a number', 'mention-number', `<@${SANDBOX.botUserId}> 2)`, 'June'],
  ])('takes %s of the requester', async (_, words, text, answer) => {
    const thread = await paused.ask(words, MONTHS);
    await (text.startsWith('<@')
      ? stage.slack.mention({ text, threadTs: thread.ts })
      : stage.slack.reply({ text, threadTs: thread.ts }));
    await paused.answered(thread, `Heard: ${answer}`);
    expect(paused.requestsFor(words)).toHaveLength(2);
    expect(hasButtons(paused.cardOf(thread))).toBe(false);
    expect(paused.inThread(thread)).toHaveLength(3);
  });

  it('is not answered by somebody else, neither by a reply, a click nor a mention', async () => {
    const thread = await paused.ask('not-bobs', MONTHS);
    const card = paused.cardOf(thread);
    await stage.slack.reply({ user: bob, text: 'May', threadTs: thread.ts });
    for (const label of ['May', 'Answer…']) {
      const before = paused.whispersTo(bob).length;
      await stage.slack.click({ user: bob, messageTs: card.ts, text: label });
      await stage.slack.waitFor(() => paused.whispersTo(bob, before).some((text) => text.includes(`Only <@${alice}>`)));
    }
    expect(stage.slack.openViews(bob)).toHaveLength(0);
    await stage.slack.mention({ user: bob, text: 'May, says Bob', threadTs: thread.ts });
    await stage.slack.waitFor(() => paused.inThread(thread).some((m) => textOf(m).includes('2nd in this thread')));
    expect(paused.cardOf(thread).versions).toHaveLength(1);
    expect(paused.requestsFor('not-bobs')).toHaveLength(1);
    await stage.slack.click({ messageTs: card.ts, text: 'June' });
    await paused.answered(thread, 'Heard: June');
  });

  it('is not answered by words of the requester to somebody else', async () => {
    const thread = await paused.ask('to-bob', MONTHS);
    await stage.slack.reply({ text: `<@${bob}> do you like May?`, threadTs: thread.ts });
    await stage.slack.reply({ text: '1', threadTs: thread.ts });
    await paused.answered(thread, 'Heard: May');
    expect(paused.requestsFor('to-bob')).toHaveLength(2);
  });

  it('that is delivered again as a reply, or edited afterwards, starts nothing', async () => {
    const thread = await paused.ask('again-reply', MONTHS);
    const reply = await stage.slack.mention({ text: 'July', threadTs: thread.ts });
    await paused.answered(thread, 'Heard: July');
    await stage.slack.redeliver(reply.ts);
    await stage.slack.editMessage({ ts: reply.ts, text: `<@${SANDBOX.botUserId}> July or August` });
    await stage.slack.mention({ text: 'next please', threadTs: thread.ts });
    await stage.planner.waitFor(() => paused.requestsFor('next please').length === 1);
    expect(paused.requestsFor('again-reply')).toHaveLength(3);
  });

  it('can come twice in one run, each with a card of its own, and the older card stays settled', async () => {
    const thread = await paused.ask('asks-twice', 'clarify-twice');
    await stage.slack.click({ messageTs: paused.cardOf(thread).ts, text: 'June' });
    await stage.slack.waitFor(() => paused.cardsOf(thread).length === 2 && hasButtons(paused.cardOf(thread, 1)));
    await stage.slack.click({ messageTs: paused.cardOf(thread, 1).ts, text: 'Friday' });
    await paused.answered(thread, 'The last answer was Friday');
    for (const card of paused.cardsOf(thread)) expect(hasButtons(card)).toBe(false);
    const versions = paused.cardOf(thread).versions;
    expect(versions.slice(1).every(({ blocks }) => !blocks.some((block) => block.type === 'actions'))).toBe(true);
    const [, , last] = paused.requestsFor('asks-twice');
    expect(last?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(stage.planner.refused).toHaveLength(0);
  });
});
