import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_TELEMETRY } from '../../../src/domain/ports/telemetry.ts';
import { createBoltApp } from '../../../src/intake/bolt-app.ts';
import { registerListeners } from '../../../src/intake/listeners.ts';
import { ACTION_IDS, ANSWER_MODAL } from '../../../src/presenter/action-ids.ts';
import {
  CARD_ACTIONS,
  CARD_MODAL,
  CARD_WORDS_MODAL,
  cardChoiceActionId,
} from '../../../src/presenter/interaction/interaction-ids.ts';
import { DECLINE_MODAL, PAYMENT_ACTIONS, PAYMENT_MODAL } from '../../../src/presenter/payment/payment-ids.ts';
import { createChat } from '../../../src/slack/chat.ts';
import { createSdkLogger } from '../../../src/slack/sdk-logger.ts';
import { type FakeSlack, ok, startFakeSlack } from '../slack/fake-slack.ts';
import { createMemoryCommands } from './fakes/memory-commands.ts';
import { createMemoryLogger } from './fakes/memory-logger.ts';
import { openPause, openPayment, seatPause, TWO_OPTIONS } from './fakes/pause.ts';
import { clickBody, TEAM } from './fakes/payloads.ts';

let slack: FakeSlack;

beforeEach(async () => {
  slack = await startFakeSlack();
  slack.on('chat.postEphemeral', () => ok({ message_ts: '9.9' }));
  slack.on('views.open', () => ok({ view: { id: 'V1' } }));
});
afterEach(() => slack.close());

/** The listeners on Bolt itself, with messages and modals that go to the fake Slack. `answers` are what Slack was told. */
function setUp() {
  const logger = createMemoryLogger();
  const sdkLogger = createSdkLogger(logger);
  const pace = { editIntervalMs: 3_000, editsPerMinute: 45 };
  const token = 'xoxb-test';
  const chat = createChat({ token, apiUrl: slack.apiUrl, ...pace, logger, telemetry: NO_TELEMETRY });
  const { identity, views, whisper } = chat;
  const app = createBoltApp({ botToken: token, apiUrl: slack.apiUrl, identity, logger: sdkLogger });
  const commands = createMemoryCommands();
  registerListeners(app, { commands, identity, views, whisper, logger, now: () => new Date() });
  const answers: unknown[] = [];
  const send = (body: object) =>
    app.processEvent({
      body: { ...body },
      async ack(response) {
        answers.push(response);
      },
    });
  return { commands, answers, send };
}

const METADATA = { pauseId: 'pause-1', termsDigest: 'digest-1', channelId: 'C1', messageTs: '1.2' };

function submission(view: object) {
  const sent = { id: 'V1', type: 'modal', private_metadata: JSON.stringify(METADATA), blocks: [], ...view };
  return { type: 'view_submission', user: { id: 'U1' }, team: { id: TEAM }, view: sent };
}

const toldPrivately = () => slack.calls.filter((call) => call.method === 'chat.postEphemeral').map((call) => call.args);
const UNKNOWN = expect.stringContaining('no longer belongs');
const PLACES = [
  ['in no place', { container: undefined, channel: undefined, message: undefined }],
  ['in a modal', { container: { type: 'view', view_id: 'V1' }, channel: undefined, message: undefined }],
  ['by nobody', { user: {} }],
] as const;
const PRESSED = [
  ACTION_IDS.stopRun,
  ACTION_IDS.openAnswer,
  PAYMENT_ACTIONS.approve,
  PAYMENT_ACTIONS.decline,
  CARD_ACTIONS.fill,
  CARD_ACTIONS.cancel,
  cardChoiceActionId(0),
];
const CALLBACKS = [ANSWER_MODAL, PAYMENT_MODAL, DECLINE_MODAL, CARD_MODAL, CARD_WORDS_MODAL].map(
  ({ callbackId }) => callbackId,
);

describe('an odd click', () => {
  it.each(PLACES.flatMap(([what, changes]) => PRESSED.map((actionId) => [actionId, what, changes] as const)))(
    'on %s %s is acknowledged once, and does nothing',
    async (actionId, _what, changes) => {
      const { commands, answers, send } = setUp();
      await send(clickBody({ action_id: actionId, value: 'pause-1' }, changes));
      expect(answers).toHaveLength(1);
      expect(commands.calls).toEqual([]);
    },
  );

  it('in no place is answered by the address that came with it', async () => {
    const { send } = setUp();
    slack.on('respond', () => ok({}));
    const nowhere = { container: undefined, channel: undefined, response_url: `${slack.apiUrl}respond` };
    await send(clickBody({ action_id: PAYMENT_ACTIONS.approve, value: 'pause-1' }, nowhere));
    const told = slack.calls.find((call) => call.method === 'respond');
    expect(JSON.stringify(told)).toContain('no longer belongs');
  });

  it.each([ACTION_IDS.selectAnswer, CARD_ACTIONS.select])('on %s without a choice is answered', async (actionId) => {
    const { commands, answers, send } = setUp();
    await send(clickBody({ type: 'static_select', action_id: actionId, selected_option: null }));
    expect(answers).toHaveLength(1);
    expect(toldPrivately()).toMatchObject([{ user: 'U1', text: UNKNOWN }]);
    expect(commands.calls).toEqual([]);
  });

  it('is made by the person who clicked, whatever workspace they are of', async () => {
    const { commands, send } = setUp();
    commands.setUp({ cancelCard: async () => ({ kind: 'accepted' }) });
    const outsider = { user: { id: 'UOUT', team_id: 'TOTHER' }, team: { id: 'TOTHER' } };
    await send(clickBody({ action_id: CARD_ACTIONS.cancel, value: 'pause-1' }, outsider));
    expect(commands.of('cancelCard')[0]?.[1]).toMatchObject({ actorId: 'UOUT', channelId: 'C1' });
  });

  it('decides without naming a message when Slack did not say which one was clicked', async () => {
    const { commands, send } = setUp();
    commands.setUp({
      openPause: async () => ({ kind: 'open', pause: openPause() }),
      answer: async () => ({ kind: 'accepted' }),
    });
    const unnamed = { container: { type: 'message', channel_id: 'C1' }, message: undefined };
    await send(clickBody({ action_id: ACTION_IDS.openAnswer, value: 'pause-1' }, unnamed));
    const opened = slack.calls.find((call) => call.method === 'views.open')?.args.view;
    const typed = { [ANSWER_MODAL.blockId]: { [ANSWER_MODAL.inputId]: { value: 'Porto' } } };
    await send(submission({ ...Object(opened), state: { values: typed } }));
    const click = { actorId: 'U1', channelId: 'C1', messageTs: null };
    expect(commands.of('answer')).toEqual([['pause-1', { text: 'Porto', termsDigest: 'digest-1' }, click]]);
  });
});

describe('an odd submission', () => {
  const METADATAS = ['', 'x', 'null', '[]', '{"pauseId":1}', '{"pauseId":"pause-1","termsDigest":"d"}'];

  it.each(CALLBACKS.flatMap((callback) => METADATAS.map((metadata) => [callback, metadata])))(
    'of %s with the metadata %j is answered, and does nothing',
    async (callback, metadata) => {
      const { commands, answers, send } = setUp();
      await send(submission({ callback_id: callback, private_metadata: metadata }));
      expect(answers).toMatchObject([{ response_action: 'update' }]);
      expect(JSON.stringify(answers)).toContain('no longer belongs');
      expect(commands.calls).toEqual([]);
    },
  );

  it.each(['', 'old_modal', 'constructor', '__proto__'])('of the modal %j is answered', async (callback) => {
    const { commands, answers, send } = setUp();
    await send(submission({ callback_id: callback }));
    expect(JSON.stringify(answers)).toContain('no longer belongs');
    expect(commands.calls).toEqual([]);
  });

  const STATES = [
    ['no state', undefined],
    ['no values', { values: null }],
    ['unknown blocks', { values: { other: { other_input: { value: 'yes' } } } }],
    [
      'values of the wrong type',
      {
        values: {
          [PAYMENT_MODAL.optionBlockId]: { [PAYMENT_MODAL.optionInputId]: { selected_option: { value: 1 } } },
          [PAYMENT_MODAL.amountBlockId]: { [PAYMENT_MODAL.amountInputId]: { value: 25 } },
          [ANSWER_MODAL.blockId]: { [ANSWER_MODAL.inputId]: { value: ['Porto'] } },
          [CARD_WORDS_MODAL.blockId]: { [CARD_WORDS_MODAL.inputId]: { value: {} } },
          [CARD_MODAL.choiceBlockId]: { [CARD_MODAL.inputId]: { selected_option: 'Late' } },
        },
      },
    ],
    [
      'an option that there is not',
      {
        values: {
          [PAYMENT_MODAL.optionBlockId]: { [PAYMENT_MODAL.optionInputId]: { selected_option: { value: '2' } } },
          [CARD_MODAL.choiceBlockId]: { [CARD_MODAL.inputId]: { selected_option: { value: '99' } } },
        },
      },
    ],
  ] as const;

  it.each(
    STATES.flatMap(([what, state]) =>
      CALLBACKS.filter((callback) => callback !== DECLINE_MODAL.callbackId).map(
        (callback) => [callback, what, state] as const,
      ),
    ),
  )('of %s with %s is answered, and decides nothing', async (callback, _what, state) => {
    const { commands, answers, send } = setUp();
    commands.setUp({
      openPause: async () => ({ kind: 'open', pause: seatPause() }),
      viewPayment: async () => openPayment({ options: TWO_OPTIONS }, { mustRetype: true }),
    });
    await send(submission({ callback_id: callback, state }));
    expect(answers).toMatchObject([{ response_action: expect.stringMatching(/^(errors|update)$/) }]);
    const read = commands.calls.filter(({ method }) => !['openPause', 'viewPayment'].includes(method));
    expect(read).toEqual([]);
  });

  it('that declines without any state declines without a reason', async () => {
    const { commands, answers, send } = setUp();
    commands.setUp({ decline: async () => ({ kind: 'accepted' }) });
    await send(submission({ callback_id: DECLINE_MODAL.callbackId, state: undefined }));
    expect(answers).toEqual([{ response_action: 'clear' }]);
    expect(commands.of('decline')[0]?.[1]).toEqual({ reason: null, termsDigest: 'digest-1' });
  });

  it('for a card that is none any more is answered', async () => {
    const { commands, answers, send } = setUp();
    commands.setUp({ openPause: async () => ({ kind: 'open', pause: openPause() }) });
    await send(submission({ callback_id: CARD_MODAL.callbackId }));
    expect(JSON.stringify(answers)).toContain('no longer belongs');
  });
});
