import { webApi } from '@slack/bolt';
import { createAckPressure } from '../../../../src/async/ack-pressure.ts';
import { NO_TELEMETRY } from '../../../../src/domain/ports/telemetry.ts';
import { createIntake, type Intake, type IntakeOptions } from '../../../../src/intake/intake.ts';
import { createHttpServer } from '../../../../src/ops/http-server.ts';
import { createSandboxSlack, type SandboxSlack } from '../../../../src/sandbox/slack/sandbox-slack.ts';
import { SANDBOX, type SandboxSlackOptions } from '../../../../src/sandbox/slack/setup.ts';
import { createChat } from '../../../../src/slack/chat.ts';
import { OPEN_SOCKET, toSlackError } from '../../../../src/slack/map-error.ts';
import { createSdkLogger } from '../../../../src/slack/sdk-logger.ts';
import { createMemoryCommands, type MemoryCommands } from './memory-commands.ts';
import { createMemoryInbox, type MemoryInbox } from './memory-inbox.ts';
import { createMemoryLogger } from './memory-logger.ts';

export type Setup = {
  slack: SandboxSlack;
  intake: Intake;
  inbox: MemoryInbox;
  commands: MemoryCommands;
  logger: ReturnType<typeof createMemoryLogger>;
  /** Posts a message with the bot's token, such as a card with buttons. Its ts. */
  postAsBot(message: { channel?: string; threadTs?: string; blocks: readonly object[] }): Promise<string>;
  close(): Promise<void>;
};

export type SetupOptions = Partial<IntakeOptions> & { transport: 'http' | 'sockets'; slack?: SandboxSlackOptions };

/** The real intake between a sandbox Slack and a store and runner in memory, over either transport. */
export async function setUpIntake({ transport, slack: slackOptions, ...options }: SetupOptions): Promise<Setup> {
  const slack = await createSandboxSlack(slackOptions);
  const inbox = createMemoryInbox();
  const commands = createMemoryCommands();
  const logger = createMemoryLogger();
  const chat = createChat({
    token: SANDBOX.botToken,
    apiUrl: slack.apiUrl,
    editIntervalMs: 3_000,
    editsPerMinute: 45,
    logger,
    telemetry: NO_TELEMETRY,
  });
  const intake = createIntake({
    botToken: SANDBOX.botToken,
    signingSecret: SANDBOX.signingSecret,
    appToken: transport === 'sockets' ? SANDBOX.appToken : null,
    apiUrl: slack.apiUrl,
    inbox,
    commands,
    chat,
    logger,
    sdkLogger: createSdkLogger(logger),
    toSocketError: (error) => toSlackError(error, OPEN_SOCKET),
    pressure: createAckPressure(),
    telemetry: NO_TELEMETRY,
    replayAfterMs: 0,
    ...options,
  });
  const renderMetrics = async () => ({ contentType: 'text/plain', body: '' });
  const server = createHttpServer({
    port: 0,
    slackListener: intake.httpListener,
    checks: { slack: intake.checkSockets },
    renderMetrics,
    logger,
  });
  if (transport === 'http') slack.setEventsUrl(`http://127.0.0.1:${await server.start()}/slack/events`);
  await chat.identity.resolve();
  await intake.start();
  if (transport === 'sockets') await slack.waitFor(() => slack.socketCount() === 2);
  const client = new webApi.WebClient(SANDBOX.botToken, { slackApiUrl: slack.apiUrl });

  return {
    slack,
    intake,
    inbox,
    commands,
    logger,
    async postAsBot({ channel = SANDBOX.channels.general, threadTs, blocks }) {
      const posted = await client.apiCall('chat.postMessage', {
        channel,
        text: 'card',
        blocks,
        ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      });
      if (!('ts' in posted)) throw new Error('Slack did not say where the message went');
      return String(posted.ts);
    },
    async close() {
      await intake.stop();
      await chat.close();
      await server.stop();
      await slack.close();
    },
  };
}
