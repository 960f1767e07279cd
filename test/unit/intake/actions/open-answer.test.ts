import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_TELEMETRY } from '../../../../src/domain/ports/telemetry.ts';
import { listenToAnswerButton } from '../../../../src/intake/actions/open-answer.ts';
import { createBoltApp } from '../../../../src/intake/bolt-app.ts';
import { listenToAnswerModal } from '../../../../src/intake/views/answer-modal.ts';
import { ACTION_IDS, ANSWER_MODAL } from '../../../../src/presenter/action-ids.ts';
import { createChat } from '../../../../src/slack/chat.ts';
import { createSdkLogger } from '../../../../src/slack/sdk-logger.ts';
import { type FakeSlack, ok, startFakeSlack } from '../../slack/fake-slack.ts';
import { createMemoryCommands } from '../fakes/memory-commands.ts';
import { createMemoryLogger } from '../fakes/memory-logger.ts';
import { openPause } from '../fakes/pause.ts';
import { clickBody, TEAM } from '../fakes/payloads.ts';

let slack: FakeSlack;

beforeEach(async () => {
  slack = await startFakeSlack();
});
afterEach(() => slack.close());

/** The two listeners of a modal's life, on Bolt itself and on modals that go to the fake Slack. */
function setUp() {
  const logger = createMemoryLogger();
  const sdkLogger = createSdkLogger(logger);
  const pace = { editIntervalMs: 3_000, editsPerMinute: 45 };
  const token = 'xoxb-test';
  const chat = createChat({ token, apiUrl: slack.apiUrl, ...pace, logger, telemetry: NO_TELEMETRY });
  const { identity, views, whisper } = chat;
  const app = createBoltApp({ botToken: token, apiUrl: slack.apiUrl, identity, logger: sdkLogger });
  const commands = createMemoryCommands();
  const deps = { commands, identity, views, whisper, logger, now: () => new Date() };
  listenToAnswerButton(app, deps);
  listenToAnswerModal(app, deps);
  return { app, commands };
}

it('decides without naming a message when Slack did not say which one was clicked', async () => {
  const { app, commands } = setUp();
  slack.on('views.open', () => ok({ view: { id: 'V1' } }));
  commands.setUp({
    openPause: async () => ({ kind: 'open', pause: openPause() }),
    answer: async () => ({ kind: 'accepted' }),
  });
  const button = { action_id: ACTION_IDS.openAnswer, value: 'pause-1' };
  const unnamed = { container: { type: 'message', channel_id: 'C1' }, message: undefined };
  const ack = async () => undefined;
  await app.processEvent({ body: clickBody(button, unnamed), ack });
  const typed = { [ANSWER_MODAL.blockId]: { [ANSWER_MODAL.inputId]: { value: 'Porto' } } };
  const opened = slack.calls.find((call) => call.method === 'views.open')?.args.view;
  const view = Object.assign({}, opened, { state: { values: typed } });
  await app.processEvent({ body: { type: 'view_submission', user: { id: 'U1' }, team: { id: TEAM }, view }, ack });
  const click = { actorId: 'U1', channelId: 'C1', messageTs: null };
  expect(commands.of('answer')).toEqual([['pause-1', { text: 'Porto', termsDigest: 'digest-1' }, click]]);
});
