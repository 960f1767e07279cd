import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ActionResult } from '../../../src/domain/ports/run-commands.ts';
import { ACTION_IDS, ANSWER_MODAL, optionActionId, selectOptionValue } from '../../../src/presenter/action-ids.ts';
import { SANDBOX } from '../../../src/sandbox/slack/setup.ts';
import { eventually } from './fakes/eventually.ts';
import { type Setup, setUpIntake } from './fakes/intake-setup.ts';
import { cardPause, openPause } from './fakes/pause.ts';

const { alice, bob, dave } = SANDBOX.users;
const { general, shared } = SANDBOX.channels;
const ACCEPTED: ActionResult = { kind: 'accepted' };

const plain = (text: string) => ({ type: 'plain_text', text });
const button = (actionId: string, value: string) => ({
  type: 'button',
  text: plain(actionId),
  action_id: actionId,
  value,
});
const actions = (...elements: object[]) => [{ type: 'actions', block_id: 'b1', elements }];

describe.each(['http', 'sockets'] as const)('clicks over %s', (transport) => {
  let setup: Setup;
  let rootTs: string;

  beforeEach(async () => {
    setup = await setUpIntake({ transport });
    rootTs = await setup.postAsBot({ blocks: actions(button('root', 'x')) });
  });
  afterEach(() => setup.close());

  const postCard = (...elements: object[]) => setup.postAsBot({ threadTs: rootTs, blocks: actions(...elements) });
  const contextOf = (messageTs: string, actorId: string = alice) => ({ actorId, channelId: general, messageTs });
  const toldTo = (user: string) => setup.slack.waitFor(() => setup.slack.ephemerals({ user })[0]);

  it.each([
    [ACTION_IDS.resumeRun, 'resume', []],
    [ACTION_IDS.startOverRun, 'choose', ['start_over']],
    [ACTION_IDS.closeRun, 'choose', ['close']],
  ] as const)('hands on %s', async (actionId, command, choice) => {
    setup.commands.setUp({ [command]: async () => ACCEPTED });
    const messageTs = await postCard(button(actionId, 'run-1'));
    expect((await setup.slack.click({ messageTs, actionId })).acked).toBe(true);
    expect(setup.commands.of(command)).toEqual([['run-1', ...choice, contextOf(messageTs)]]);
    expect(setup.slack.ephemerals()).toEqual([]);
  });

  it('hands on Stop, and tells a person who may not, privately and in the thread', async () => {
    setup.commands.setUp({ stop: async () => ({ kind: 'not-allowed', allowedId: alice }) });
    const messageTs = await postCard(button(ACTION_IDS.stopRun, 'run-1'));
    const result = await setup.slack.click({ messageTs, actionId: ACTION_IDS.stopRun, user: bob });
    expect(result.acked).toBe(true);
    expect(setup.commands.of('stop')).toEqual([['run-1', contextOf(messageTs, bob)]]);
    expect(await toldTo(bob)).toMatchObject({
      text: `Only <@${alice}>, who asked for this run, can do this.`,
      threadTs: rootTs,
      channel: general,
    });
  });

  it('hands on an option button and an option of a menu', async () => {
    setup.commands.setUp({ chooseOption: async () => ACCEPTED });
    const option = { text: plain('blue'), value: selectOptionValue('pause-1', 30) };
    const select = { type: 'static_select', action_id: ACTION_IDS.selectAnswer, options: [option] };
    const messageTs = await postCard(button(optionActionId(1), 'pause-1'), select);
    await setup.slack.click({ messageTs, actionId: optionActionId(1) });
    await setup.slack.fill({ messageTs, actionId: ACTION_IDS.selectAnswer, value: option.value });
    expect(setup.commands.of('chooseOption')).toEqual([
      ['pause-1', 1, contextOf(messageTs)],
      ['pause-1', 30, contextOf(messageTs)],
    ]);
  });

  it('takes a click of a member of another team like any other', async () => {
    setup.commands.setUp({ chooseOption: async () => ({ kind: 'not-allowed', allowedId: alice }) });
    const messageTs = await setup.postAsBot({ channel: shared, blocks: actions(button(optionActionId(0), 'pause-1')) });
    const click = { messageTs, channel: shared, user: dave, actionId: optionActionId(0) };
    expect((await setup.slack.click(click)).acked).toBe(true);
    expect(await toldTo(dave)).toMatchObject({ text: `Only <@${alice}>, who asked for this run, can do this.` });
  });

  it.each([
    ['an unknown button', 'approve_everything', 'x'],
    ['a menu value that is none of ours', ACTION_IDS.selectAnswer, 'garbage'],
  ])('answers %s', async (_what, actionId, value) => {
    const messageTs = await postCard(button(actionId, value));
    expect((await setup.slack.click({ messageTs, actionId })).acked).toBe(true);
    expect(await toldTo(alice)).toMatchObject({ text: expect.stringContaining('no longer belongs') });
    expect(setup.commands.calls).toEqual([]);
  });

  it('answers by response_url where an ephemeral message is refused', async () => {
    setup.commands.setUp({ stop: async () => ({ kind: 'unknown' }) });
    setup.slack.failNext({ method: 'chat.postEphemeral', error: 'user_not_in_channel' });
    const messageTs = await postCard(button(ACTION_IDS.stopRun, 'run-1'));
    await setup.slack.click({ messageTs, actionId: ACTION_IDS.stopRun });
    expect(await toldTo(alice)).toMatchObject({ text: expect.stringContaining('no longer belongs') });
    expect(setup.slack.thread(general, rootTs).at(-1)).toMatchObject({ ts: messageTs, deleted: false });
  });

  it('tells of a decision that could not be stored, and does not acknowledge it', async () => {
    await setup.close();
    setup = await setUpIntake({ transport, slack: { ackTimeoutMs: 200 } });
    rootTs = await setup.postAsBot({ blocks: actions(button('root', 'x')) });
    setup.commands.setUp({ stop: () => Promise.reject(new Error('database down')) });
    const messageTs = await postCard(button(ACTION_IDS.stopRun, 'run-1'));
    expect((await setup.slack.click({ messageTs, actionId: ACTION_IDS.stopRun })).acked).toBe(false);
    expect(await toldTo(alice)).toMatchObject({
      text: expect.stringContaining('could not be stored'),
      threadTs: rootTs,
    });
    expect(setup.logger.lines.find((line) => line.event === 'delivery_refused')).toBeDefined();
  });

  describe('Answer…', () => {
    const press = async (user: string = alice) => {
      const messageTs = await postCard(button(ACTION_IDS.openAnswer, 'pause-1'));
      const result = await setup.slack.click({ messageTs, actionId: ACTION_IDS.openAnswer, user });
      expect(result.acked).toBe(true);
      return messageTs;
    };
    const modal = () => setup.slack.waitFor(() => setup.slack.openViews(alice).at(-1));
    const submit = (text: string) => setup.slack.submitView({ values: { [ANSWER_MODAL.inputId]: text } });

    it('opens the modal, and hands on the answer with the terms that it showed', async () => {
      setup.commands.setUp({
        openPause: async () => ({ kind: 'open', pause: openPause() }),
        answer: async () => ACCEPTED,
      });
      const messageTs = await press();
      expect(JSON.stringify((await modal()).view)).toContain('Which colour?');
      expect(await submit(' green ')).toMatchObject({ acked: true, open: false, problem: null });
      const said = { text: 'green', termsDigest: 'digest-1' };
      expect(setup.commands.of('answer')).toEqual([['pause-1', said, contextOf(messageTs)]]);
    });

    it('opens a placeholder first when the store is slow, and fills it then', async () => {
      let answer: () => void = () => undefined;
      const slow = new Promise<void>((resolve) => (answer = resolve));
      setup.commands.setUp({
        async openPause() {
          await slow;
          return { kind: 'open', pause: openPause() };
        },
      });
      await press();
      expect(JSON.stringify((await modal()).view)).toContain('One moment');
      answer();
      await setup.slack.waitFor(() => JSON.stringify(setup.slack.openViews(alice)).includes('Which colour?'));
    });

    it('says in a placeholder that is already open why there is no question', async () => {
      setup.commands.setUp({
        async openPause() {
          await setup.slack.waitFor(() => setup.slack.openViews(alice).length === 1);
          return { kind: 'expired' };
        },
      });
      await press();
      await setup.slack.waitFor(() =>
        JSON.stringify(setup.slack.openViews(alice)).includes('time for an answer is over'),
      );
    });

    it('tells a person who may not answer, and opens nothing', async () => {
      setup.commands.setUp({ openPause: async () => ({ kind: 'not-allowed', allowedId: alice }) });
      await press(bob);
      expect(await toldTo(bob)).toMatchObject({ text: `Only <@${alice}>, who asked for this run, can do this.` });
      expect(setup.slack.views()).toEqual([]);
    });

    it.each(['expired_trigger_id', 'ratelimited'])(
      'asks to press again when the modal fails with %s',
      async (error) => {
        setup.commands.setUp({ openPause: async () => ({ kind: 'open', pause: openPause() }) });
        setup.slack.failNext({ method: 'views.open', error });
        await press();
        expect(await toldTo(alice)).toMatchObject({ text: expect.stringContaining('press the button again') });
      },
    );

    it('tells that the store failed, and logs it', async () => {
      setup.commands.setUp({ openPause: () => Promise.reject(new Error('database down')) });
      await press();
      expect(await toldTo(alice)).toMatchObject({ text: expect.stringContaining('could not be stored') });
      await eventually('the failure in the log', () =>
        setup.logger.lines.some((line) => line.event === 'interaction_failed'),
      );
    });

    it('tells in a placeholder that is open already that the store failed', async () => {
      setup.commands.setUp({
        async openPause() {
          await setup.slack.waitFor(() => setup.slack.openViews(alice).length === 1);
          throw new Error('database down');
        },
      });
      await press();
      await setup.slack.waitFor(() => JSON.stringify(setup.slack.openViews(alice)).includes('could not be stored'));
    });

    it('opens nothing for a pause that asks something else', async () => {
      setup.commands.setUp({ openPause: async () => ({ kind: 'open', pause: cardPause() }) });
      await press();
      expect(await toldTo(alice)).toMatchObject({ text: expect.stringContaining('no longer belongs') });
      expect(setup.slack.views()).toEqual([]);
    });

    it('keeps the modal open on an empty answer', async () => {
      setup.commands.setUp({ openPause: async () => ({ kind: 'open', pause: openPause() }) });
      await press();
      await modal();
      const result = await submit('   ');
      expect(result).toMatchObject({ acked: true, open: true, problem: null });
      expect(result.errors).toHaveProperty(ANSWER_MODAL.blockId);
      expect(setup.commands.of('answer')).toEqual([]);
    });

    it('says in the modal why an answer came to nothing', async () => {
      const decided = openPause({ state: 'decided', decidedBy: bob, decidedAt: new Date() });
      setup.commands.setUp({
        openPause: async () => ({ kind: 'open', pause: openPause() }),
        answer: async () => ({ kind: 'already-decided', pause: decided, approverIds: [] }),
      });
      await press();
      await modal();
      expect(await submit('green')).toMatchObject({ acked: true, open: true, errors: null, problem: null });
      expect(JSON.stringify((await modal()).view)).toContain('already answered');
    });
  });
});
